import ArgumentParser
import GodwitSettings
import MotionSensor
import Notation
import Platform
import Ports
import Quantities
import Records
import Runtime
import Store

#if canImport(Glibc)
  import Glibc
#endif

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run the daemon: track until stopped.",
    discussion: """
      Made for systemd (Type=notify, watchdog), but runs in a terminal too. SIGTERM and SIGINT \
      end it cleanly, SIGHUP reloads the settings.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Store file, overrides store.path.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Flag(help: "Switch nothing: something else powers the receiver.")
  var noPower = false

  @Option(
    help: ArgumentHelp("Control socket, overrides control.socket.", valueName: "path"),
    completion: .file())
  var socket: String?

  func run() throws {
    let log = LogOutput(STDERR_FILENO)
    do {
      try track(log)
    } catch let error as CommandError {
      // The log may have no reader, and the daemon must end nevertheless.
      for line in error.message.split(separator: "\n") { log.write("godwit: \(line)") }
      throw ExitCode(error.exitCode)
    }
  }

  private func track(_ log: LogOutput) throws {
    let settings = try load()
    let composition = Composition(settings: settings, world: .live)
    try composition.refuseVirtualParts()
    let path = store ?? settings.store.path
    var devices = Devices(
      receiver: ConfiguredDevices.receiver(
        settings.receiver, losesPower: settings.powerSwitch.isReal),
      monitor: ConfiguredDevices.monitor(settings))
    if let motion = MotionLine(settings.motion) { devices.evidence.append(motion) }
    devices.battery = ConfiguredDevices.battery(settings)
    devices.store = Self.store(path, settings.store.retention)
    devices.powerSwitch = ConfiguredDevices.powerSwitch(settings.powerSwitch)
    let start = try startingRuntime(composition, devices)
    let runtime = start.runtime
    runtime.onLog = { logEvent, _ in log.write(logEvent) }
    runtime.systemDate = { SystemCalendar.date(notBefore: settings.receiver.dateFloor) }
    runtime.dateWarning = SystemCalendar.warning
    let daemon = try makeDaemon(runtime, settings, store: path, log)
    if let warning = runtime.dateWarning {
      log.write(LogEvent("clock-limited", warning, level: .warning))
    }
    meetStore(start)
    hold(devices.powerSwitch, log)
    defer { close(devices.powerSwitch, log) }
    let code: Int32
    do {
      code = try daemon.run(restoring: start.state, boot: RunningSystem.bootID)
    } catch {
      throw CommandError.failed(error.message)
    }
    try finish(runtime, log)
    guard code == 0 else { throw ExitCode(code) }
  }

  /// How long the loop blocks for another program's lock on the store: long enough for a label that
  /// is being written. Records that are not written then wait in memory.
  private static let lockTimeout: Int32 = 250  // ms

  private static func store(_ path: String, _ retention: RetentionLimits) -> ReopeningStore {
    ReopeningStore(name: path) { (isReturn) throws(StoreError) in
      let store = try GeoPackageStore(
        path: path, retention: retention,
        lock: StoreLock(path: path, for: .daemon, unlessJustMade: isReturn),
        mark: .random(in: 0...(.max)), isReturn: isReturn)
      store.waitForLocks(atMost: lockTimeout)
      return store
    }
  }

  /// Stores the waiting records, closes the store, and reports losses.
  private func finish(_ runtime: TrackerRuntime, _ log: LogOutput) throws {
    runtime.commitAtLast(at: BootClock.now)
    let health = runtime.storeHealth
    var closing: StoreError?
    do throws(StoreError) {
      try runtime.closeStore()
    } catch {
      closing = error
    }
    let end = RunEnd(health, closing: closing)
    if let loss = end.earlierLoss { log.write(loss) }
    if let failure = end.failure { throw CommandError.failed(failure) }
  }

  /// A switch that is not available now is tried again whenever a line has to be set.
  private func hold(_ powerSwitch: (any PowerSwitchPort)?, _ log: LogOutput) {
    do {
      try powerSwitch?.hold()
    } catch {
      log.write(LogEvent("switch-failed", error.message, level: .warning))
    }
  }

  private func close(_ powerSwitch: (any PowerSwitchPort)?, _ log: LogOutput) {
    do {
      try powerSwitch?.close()
    } catch {
      log.write(LogEvent("switch-failed", error.message, level: .warning))
    }
  }

  private func load() throws -> Settings {
    var settings = try options.load().settings
    if noPower { settings.powerSwitch.kind = .none }
    return settings
  }

  private struct Start {
    let runtime: TrackerRuntime
    /// The state that the last run saved.
    var state: String?
    var opening: StoreOpening?
    var storeFailure: StoreError?
  }

  private func meetStore(_ start: Start) {
    let now = BootClock.now
    do {
      if let opening = start.opening { try start.runtime.meet(opening, at: now) }
    } catch {
      start.runtime.storeFailed(error, at: now)
    }
    if let failure = start.storeFailure { start.runtime.storeFailed(failure, at: now) }
  }

  /// A store that cannot be opened does not stop tracking: records wait in memory, and `status`
  /// says so.
  private func startingRuntime(_ composition: Composition, _ devices: Devices) throws -> Start {
    let now = BootClock.now
    do {
      let state = try devices.store?.trackerState()
      let runtime = try composition.runtime(devices: devices, at: now)
      return Start(
        runtime: runtime, state: state, opening: try devices.store?.ensureOpen())
    } catch {
      // The store cannot be read: ids start where there are no stored ones, nor those of another
      // such run. Not at the date, which may be wrong; below 2^53, which JSON can represent.
      let first = Int64.random(in: 1 << 40..<1 << 52)
      var blind = devices
      blind.store = nil
      let identifiers = StoreIdentifiers(visit: first, destination: first, session: first)
      let runtime = try composition.runtime(
        devices: blind, identifiers: identifiers, at: now)
      runtime.attach(devices.store)
      return Start(runtime: runtime, storeFailure: error)
    }
  }

  private func makeDaemon(
    _ runtime: TrackerRuntime, _ settings: Settings, store: String, _ log: LogOutput
  ) throws -> Daemon {
    var control = settings.control
    if let socket { control.socket = socket }
    do throws(ControlError) {
      do throws(ControlError) {
        try refuse(control.socket, store: store)
        return try Daemon(runtime, control: control, log: log) { reload(runtime) }
      } catch  where !error.isTaken {
        // Tracking matters more than the control socket.
        log.write(LogEvent("control-failed", error.message, level: .warning))
        return try Daemon(runtime, control: nil, log: log) { reload(runtime) }
      }
    } catch {
      // The daemon that answers there uses this configuration's receiver and switch as well. Two
      // would take them from each other, and clients would reach only one.
      throw CommandError.failed(error.message)
    }
  }

  /// A store that could not be created yet would find the socket at its path, by whatever name.
  private func refuse(_ socket: String, store: String) throws(ControlError) {
    guard StoreFiles(store).contains(socket) else { return }
    throw ControlError("\(socket): control.socket is the path of the store; set another path")
  }

  private func reload(_ runtime: TrackerRuntime) -> LogEvent {
    do {
      let settings = try load()
      runtime.reconfigure(
        Composition(settings: settings, world: .live).trackerSettings(
          coarseSources: runtime.coarseSources, evidenceSources: runtime.evidenceSources),
        boot: RunningSystem.bootID, at: BootClock.now)
      return LogEvent(
        "reloaded",
        "settings reloaded; those of receiver, switch, store and socket change at a restart")
    } catch let error as CommandError {
      return LogEvent(
        "reload-failed", "the settings are wrong, the old ones are kept: \(error.message)",
        level: .warning)
    } catch {
      return LogEvent(
        "reload-failed", "the settings cannot be read, the old ones are kept: \(error)",
        level: .warning)
    }
  }
}
