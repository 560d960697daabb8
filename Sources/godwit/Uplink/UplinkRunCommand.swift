import ArgumentParser
import Delivery
import GodwitSettings
import HTTP
import MQTT
import Notation
import Outbox
import Platform
import Ports
import Records
import Runtime
import Store
import Uplink

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit uplink run`: one connection, and the end.
struct UplinkRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Send what waits, and end.")

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("Store file, overrides store.path.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Flag(help: "As godwit-uplink.service runs it: leave alone what failed a short time ago.")
  var service = false

  func run() throws {
    let settings = try options.load().settings
    guard settings.uplink.isOn else {
      throw CommandError.wrongUsage(
        "nobody gets anything: name a broker with uplink.mqtt.brokers, or a receiver with the url "
          + "of uplink.owntracks_http, uplink.osmand or uplink.overland, in "
          + "\(options.config ?? ConfigOptions.systemSettings)")
    }
    let log = LogOutput(STDERR_FILENO)
    let ending: UplinkRun.Ending
    do {
      ending = try uplink(settings, log).run()
    } catch let error as UplinkError {
      throw CommandError.failed(error.message)
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    } catch let error as OutboxError {
      throw CommandError.failed(error.message)
    }
    let failures = ending.failures.sorted { $0.key.name < $1.key.name }
    if let last = failures.last {
      for (way, why) in failures.dropLast() {
        log.write(LogEvent("failed", "\(way.name): \(why)", level: .warning))
      }
      throw CommandError.failed("\(last.key.name): \(last.value)")
    }
    if !ending.blocks.isEmpty { throw ExitCode(1) }
  }

  private func uplink(_ settings: Settings, _ log: LogOutput) throws -> UplinkRun {
    let uplink = settings.uplink
    let name = settings.device.name ?? RunningSystem.hostName
    let topics = UplinkTopics(user: uplink.user, device: name)
    var parts = UplinkRun.Parts(
      store: try StoreReader(path: store ?? settings.store.path),
      outbox: try OutboxFile(path: uplink.path))
    if !uplink.mqtt.brokers.isEmpty {
      parts.broker = (MosquittoBroker(), try BrokerVisit(uplink.mqtt, device: name))
    }
    parts.web = try uplink.web.map { receiver in
      (try WebPlan(receiver, topics), WebUploader(HTTPOptions(receiver)))
    }
    return try UplinkRun(parts, uplink, topics, UplinkRun.Manner(heedsHolds: service)) {
      log.write($0)
    }
  }
}
