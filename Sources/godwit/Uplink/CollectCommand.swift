import ArgumentParser
import Delivery
import GodwitSettings
import Transports
import Platform
import Ports
import Records
import Runtime
import Store
import Uplink

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit collect`: the receiving end of the uplink, on a server at home.
struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect",
    abstract: "Collect the records of many boards in one GeoPackage or database, until stopped.",
    discussion: """
      Subscribes at the brokers of uplink.mqtt to the records of boards with \
      uplink.mqtt.collector, writes them to the file or the database, and acknowledges them to \
      each board: only then are they received for the board. Duplicates are stored once.
      """)

  @OptionGroup var options: ConfigOptions

  @Option(
    help: ArgumentHelp("GeoPackage; created if missing.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?

  @Option(
    help: ArgumentHelp(
      "Database with PostGIS instead: postgresql://user@host/name, or any other form that libpq "
        + "accepts, without a password.", valueName: "address"))
  var database: String?

  @Option(
    help: ArgumentHelp(
      "File with only the password of the database. ~/.pgpass and PGPASSFILE also work.",
      valueName: "file"),
    completion: .file())
  var passwordFile: String?

  func validate() throws {
    guard (store == nil) != (database == nil) else {
      throw ValidationError("name the collection with either --store or --database")
    }
    guard passwordFile == nil || database != nil else {
      throw ValidationError("--password-file needs --database")
    }
  }

  func run() throws {
    let settings = try options.load().settings
    guard !settings.uplink.mqtt.brokers.isEmpty else {
      throw CommandError.wrongUsage(
        "no broker: name one with uplink.mqtt.brokers in "
          + options.file)
    }
    do {
      if let store {
        let lock = try StoreLock(path: store)
        let collection = try CollectionStore(path: store, lock: lock)
        defer { collection.close() }
        try run(settings, into: collection)
      } else if let database {
        let password = try passwordFile.map { try Secret(fileOf: "--password-file", $0) }
        let collection = try PostGISCollection(
          DatabaseAddress(parsing: database), password: password)
        defer { collection.close() }
        try run(settings, into: collection)
      }
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
  }

  private func run(_ settings: Settings, into collection: any CollectionPort) throws {
    let mqtt = settings.uplink.mqtt
    let log = LogOutput(STDERR_FILENO)
    let name = settings.device.name ?? RunningSystem.hostName
    let login = try BrokerLogin(mqtt, of: "godwit-collect", device: name)
    try CollectorRun(into: collection, MosquittoBroker(), at: mqtt.brokers, as: login) {
      log.write($0)
    }.run()
  }
}
