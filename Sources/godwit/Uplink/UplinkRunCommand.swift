import ArgumentParser
import Delivery
import GodwitSettings
import Transports
import Core
import Store
import Platform
import Ports
import Records
import Runtime
import Uplink

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit uplink run`: one run of the uplink.
struct UplinkRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Send all waiting messages, and end.")

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Store file, overrides store.path.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Flag(
    help: """
      Run as godwit-uplink.service does: skip transports that failed a short time ago, and stay \
      connected if uplink.delay_s is 0.
      """)
  var service = false

  func run() throws {
    let activationSocket = ActivationSocket.inherited()
    let log = LogOutput(STDERR_FILENO)
    var ending: UplinkRun.Ending
    do {
      repeat {
        ending = try deliver(activationSocket, log)
        if ending.restart == .settings {
          log.write(LogEvent("settings", "the settings are read again"))
        }
      } while ending.restart != nil
    } catch {
      // Pending notifications are drained, or systemd would restart the service endlessly.
      _ = activationSocket?.drain()
      throw error
    }
    let failures = ending.failures.sorted { $0.key.name < $1.key.name }
    if let last = failures.last {
      for (way, why) in failures.dropLast() {
        log.write(LogEvent("failed", "\(way.name): \(why)", level: .warning))
      }
      throw CommandError.failed("\(last.key.name): \(last.value)")
    }
    if !ending.blocks.isEmpty || ending.refused > 0 { throw ExitCode(1) }
  }

  private func deliver(_ activationSocket: ActivationSocket?, _ log: LogOutput) throws
    -> UplinkRun.Ending
  {
    let settings = try options.load().settings
    guard settings.uplink.isOn else {
      let web = Recipient.allCases.filter { $0.transport == .web }.map(\.rawValue)
      throw CommandError.wrongUsage(
        "no recipient is configured: set uplink.mqtt.brokers, or the url of "
          + " \(Alternatives.text(web.map { "uplink.\($0)" })), in \(options.file)")
    }
    UplinkOutbox.makeFolder(settings.uplink)
    do {
      let lock = try OutboxLock(path: settings.uplink.path)
      defer { withExtendedLifetime(lock) {} }
      let outbox = try OutboxFile(path: settings.uplink.path)
      let note = RunMarker(outbox)
      if let begun = try note.found() {
        log.write(LogEvent("cut-off", UplinkOutbox.text(ofRunSince: begun), level: .warning))
      }
      try note.put(at: BootClock.systemDate)
      defer { try? note.remove() }
      return try uplink(settings, outbox, activationSocket, log).run()
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
  }

  private func uplink(
    _ settings: Settings, _ outbox: OutboxFile, _ activationSocket: ActivationSocket?,
    _ log: LogOutput
  ) throws -> UplinkRun {
    let uplink = settings.uplink
    let board = UplinkBoard(settings)
    let stays = service && uplink.staysConnected
    let daemon = ControlSocketDaemon(path: settings.control.socket)
    let reader = try StoreReader(path: store ?? daemon.storeInForce ?? settings.store.path)
    var parts = UplinkRun.Parts(store: reader, outbox: outbox)
    if !uplink.mqtt.brokers.isEmpty {
      parts.broker = (MosquittoBroker(), try BrokerLogin(uplink.mqtt, device: board.name))
    }
    parts.web = try uplink.web.map { receiver in
      (try WebPlan(receiver, board.topics), WebUploader(HTTPOptions(receiver)))
    }
    parts.daemon = daemon
    parts.history = reader
    parts.person = settings.people.address
    parts.visitor = settings.visitor
    parts.encryptor = try uplink.encryptor()
    parts.zone = SystemTimeZones().local
    parts.activationSocket =
      try activationSocket ?? (stays ? ActivationSocket(at: uplink.socket) : nil)
    let options = UplinkRun.Options(
      respectsBackOff: service, stays: stays, delay: service && !stays ? uplink.delay : nil)
    return try UplinkRun(parts, uplink, board, options) { log.write($0) }
  }
}

extension ControlSocketDaemon {
  /// The store that the daemon writes, if the settings name another one that waits for its restart.
  fileprivate var storeInForce: String? {
    guard let status = try? query(ControlRequest.status.json),
      let waiting = status["settings_waiting_for_restart"]?.array?.compactMap(\.string),
      waiting.contains("store.path")
    else { return nil }
    return status["store"]?["name"]?.string
  }
}
