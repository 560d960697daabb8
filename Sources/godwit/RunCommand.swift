import ArgumentParser
import Config
import Notation
import Ports
import Quantities
import Runtime
import Store
import Tracking

#if canImport(Glibc)
  import Glibc
#endif

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "The daemon: track until told to stop.",
    discussion: """
      Made for systemd (Type=notify, watchdog), but runs in a terminal as well. SIGTERM and SIGINT \
      end it in an orderly way, SIGHUP reads the settings again.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(help: ArgumentHelp("Store file, stronger than store.path.", valueName: "file"))
  var store: String?

  @Flag(help: "Switch nothing: the receiver is powered by somebody else.")
  var noPower = false

  @Option(
    help: ArgumentHelp("Control socket, stronger than control.socket.", valueName: "path"))
  var socket: String?

  func run() throws {
    let settings = try load()
    let composition = Composition(settings: settings)
    try composition.refuseVirtualParts()
    let path = store ?? settings.store.path
    var board = Board(receiver: ConfiguredReceiver.port(settings.receiver))
    board.store = openStore(path)
    let conductor = try startingConductor(composition, board)
    conductor.noted = { note, now in Self.log(note, conductor.tracker.utc(at: now)) }
    let daemon = try makeDaemon(conductor, settings)
    let state = try? board.store?.trackerState()
    do {
      let code = try daemon.run(restoring: state ?? nil, clock: plausibleDate(settings))
      (board.store as? GeoPackageStore).map { try? $0.close() }
      guard code == 0 else { throw ExitCode(code) }
    } catch let error as EventLoopError {
      throw CommandError.failed(error.message)
    }
  }

  private func load() throws -> Settings {
    var settings = try options.load().settings
    if noPower { settings.powerSwitch.kind = .none }
    return settings
  }

  /// A store that cannot be opened does not stop tracking: records wait in memory, `status` says so.
  private func openStore(_ path: String) -> any StorePort {
    do {
      return try GeoPackageStore(path: path)
    } catch {
      Self.log(Note("store-failed", error.message, level: .warning), nil)
      return ReopeningStore(name: path) { () throws(StoreError) in try GeoPackageStore(path: path) }
    }
  }

  private func startingConductor(
    _ composition: Composition, _ board: Board
  ) throws -> Conductor {
    let now = BootClock.now
    do {
      return try composition.conductor(board: board, at: now)
    } catch {
      // Nothing can be asked of the store: ids start where no stored ones are.
      let first = Int64(1) << 40 + BootClock.systemDate.nanoseconds / 1_000_000_000
      var blind = board
      blind.store = nil
      let identifiers = StoreIdentifiers(visit: first, destination: first, session: first)
      let conductor = try composition.conductor(
        board: blind, identifiers: identifiers, at: now)
      conductor.adopt(board.store)
      return conductor
    }
  }

  private func makeDaemon(_ conductor: Conductor, _ settings: Settings) throws -> Daemon {
    let control = Daemon.ControlSettings(
      socket: socket ?? settings.control.socket, group: settings.control.group)
    do {
      return try Daemon(conductor, control: control) { reload(conductor) }
    } catch {
      // Tracking matters more than being asked about it.
      Self.log(Note("control-failed", error.message, level: .warning), nil)
      return try Daemon(conductor, control: .init(socket: nil, group: nil)) { reload(conductor) }
    }
  }

  private func reload(_ conductor: Conductor) -> String {
    do {
      let settings = try load()
      conductor.reconfigure(
        Composition(settings: settings).trackerSettings(
          hasCoarseSource: conductor.board.coarse != nil),
        clock: plausibleDate(settings), at: BootClock.now)
      return "settings read again; receiver, store and socket keep theirs until a restart"
    } catch let error as CommandError {
      return "the settings are wrong, the old ones stay: \(error.message)"
    } catch {
      return "the settings cannot be read, the old ones stay: \(error)"
    }
  }

  /// The system's date counts only if it is not before the floor: a board without a real-time
  /// clock boots in 1970.
  private func plausibleDate(_ settings: Settings) -> UTCInstant? {
    let date = BootClock.systemDate
    return date >= settings.receiver.dateFloor ? date : nil
  }

  /// One line on standard error, which systemd's journal stamps and keeps; `<4>` is a warning
  /// (sd-daemon(3)).
  static func log(_ note: Note, _ time: UTCInstant?) {
    var stream = StandardError()
    let level = note.level == .warning ? "<4>" : "<6>"
    let prefix = getenv("JOURNAL_STREAM") == nil ? "" : level
    print("\(prefix)\(note.kind): \(note.reason)", to: &stream)
  }
}
