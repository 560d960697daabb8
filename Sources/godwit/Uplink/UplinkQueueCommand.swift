import ArgumentParser
import Delivery
import Core
import Store
import Platform
import Ports
import Records
import Uplink

/// `godwit uplink queue`: queues earlier records.
struct UplinkQueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Queue earlier records for new recipients, or refused messages again.",
    discussion: """
      With --from, locations and crossings of places of that time are queued for all recipients \
      that receive such records, except a collector; recipients that have them receive them \
      twice. With --refused, refused messages are queued unchanged for their recipients. The next \
      run sends them.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Store file, overrides store.path.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Option(help: ArgumentHelp("Start of the time, such as 2026-05-01T00:00:00Z.", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("End of the time. Default: now.", valueName: "time"))
  var to: String?

  @Flag(help: "Queue refused messages, for instance of a broker that was repaired since.")
  var refused = false

  func validate() throws {
    guard (from != nil) != refused, !refused || to == nil else {
      throw ValidationError("use --from, optionally with --to, or --refused")
    }
    for text in [from, to].compactMap({ $0 }) where ISO8601.parse(text) == nil {
      throw ValidationError("\(text) is not a time such as 2026-05-01T00:00:00Z")
    }
  }

  func run() throws {
    let settings = try options.load().settings
    let uplink = settings.uplink
    if refused { return try queueRefused(uplink) }
    guard let start = from.flatMap({ ISO8601.parse($0) }) else { return }
    do {
      let reader = try StoreReader(path: store ?? settings.store.path)
      var parts = UplinkRun.Parts(store: reader, outbox: try UplinkOutbox.open(uplink))
      parts.encryptor = try uplink.encryptor()
      parts.zone = SystemTimeZones().local
      let count = try Backlog(parts, reader, uplink, UplinkBoard(settings))
        .queue(from: start, to: to.flatMap { ISO8601.parse($0) })
      try OutputBytes.print("\(Counted.text(count, "message")) queued.")
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
  }

  private func queueRefused(_ settings: UplinkSettings) throws {
    let outbox = try UplinkOutbox.open(settings)
    let count: Int
    do throws(PortError) {
      count = try outbox.queueRefused(at: BootClock.systemDate)
    } catch {
      throw CommandError.failed(error.message)
    }
    try OutputBytes.print("\(Counted.text(count, "message")) queued.")
  }
}
