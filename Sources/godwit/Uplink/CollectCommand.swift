import ArgumentParser
import Delivery
import MQTT
import Platform
import Ports
import Records
import Runtime
import Store
import Uplink

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit collect`: the other end of the uplink, on a server at home.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Gather the records of many boards in one GeoPackage, until stopped.",
    discussion: """
      Subscribes at the brokers of uplink.mqtt to what boards send whose settings have \
      uplink.mqtt.collector, puts it into the file, and says so to each board: only then does the \
      board count it as received. What comes twice is taken once.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("The GeoPackage; made where there is none.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String

  func run() throws {
    let settings = try options.load().settings
    let mqtt = settings.uplink.mqtt
    guard !mqtt.brokers.isEmpty else {
      throw CommandError.wrongUsage(
        "no broker: name one with uplink.mqtt.brokers in "
          + "\(options.config ?? ConfigOptions.systemSettings)")
    }
    let log = LogOutput(STDERR_FILENO)
    do {
      let lock = try StoreLock(path: store)
      defer { lock.release() }
      let collection = try CollectionStore(path: store)
      defer { collection.close() }
      let name = settings.device.name ?? RunningSystem.hostName
      var visit = try BrokerVisit(mqtt, device: name)
      if mqtt.clientID.isEmpty { visit.clientID = "godwit-collect-" + BrokerTopic.level(name) }
      try CollectorRun(into: collection, MosquittoBroker(), at: mqtt.brokers, as: visit) {
        log.write($0)
      }.run()
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    } catch let error as UplinkError {
      throw CommandError.failed(error.message)
    } catch let error as EventLoopError {
      throw CommandError.failed("the collector cannot wait: \(error.message)")
    }
  }
}
