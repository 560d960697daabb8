import ArgumentParser
import Delivery
import GodwitSettings
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

  func run() throws {
    let settings = try options.load().settings
    guard settings.uplink.isOn else {
      throw CommandError.wrongUsage(
        "nobody gets anything: name a broker with uplink.mqtt.brokers in "
          + "\(options.config ?? ConfigOptions.systemSettings)")
    }
    let log = LogOutput(STDERR_FILENO)
    let ending: BrokerSession.Ending
    do {
      ending = try uplink(settings, log).run()
    } catch let error as UplinkError {
      throw CommandError.failed(error.message)
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    } catch let error as OutboxError {
      throw CommandError.failed(error.message)
    } catch let error as EventLoopError {
      throw CommandError.failed("the uplink cannot wait: \(error.message)")
    }
    for (recipient, why) in ending.blocks.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      log.write(
        LogEvent(
          "held-back", "\(recipient.rawValue) gets nothing more now: \(why)", level: .warning))
    }
    if let failure = ending.failure { throw CommandError.failed(failure.message) }
    if !ending.blocks.isEmpty { throw ExitCode(1) }
  }

  private func uplink(_ settings: Settings, _ log: LogOutput) throws -> UplinkRun {
    let name = settings.device.name ?? RunningSystem.hostName
    let parts = UplinkRun.Parts(
      store: try StoreReader(path: store ?? settings.store.path),
      outbox: try OutboxFile(path: settings.uplink.path), broker: MosquittoBroker(),
      visit: try BrokerVisit(settings.uplink.mqtt, device: name))
    return try UplinkRun(
      parts, settings.uplink, UplinkTopics(user: settings.uplink.user, device: name)
    ) { log.write($0) }
  }
}
