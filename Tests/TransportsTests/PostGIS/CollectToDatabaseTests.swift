import BrokerStandIns
import DatabaseStandIns
import Delivery
import ReceiverStandIns
import TestSupport
import Testing

/// `godwit collect --database`, run as users do.
@Suite struct CollectToDatabaseTests {
  private static func collect(_ arguments: [String]) throws -> (output: String, status: Int32) {
    let folder = try ScratchFolder()
    try folder.write(
      "[uplink.mqtt]\nbrokers = [\"mqtt://127.0.0.1:1\"]\n", to: "home.toml")
    return try run(
      [BuiltProgram.path("godwit"), "collect", "--config", folder.file("home.toml")] + arguments)
  }

  @Test("a collection is a file or a database, exactly one of both") func either() throws {
    for arguments in [
      [], ["--store", "home.gpkg", "--database", "dbname=home"],
      ["--store", "home.gpkg", "--password-file", "secret"],
    ] {
      let result = try Self.collect(arguments)
      #expect(result.status == 2, "\(arguments): \(result.output)")
      #expect(result.output.contains("--database"), "\(result.output)")
    }
  }

  @Test(
    "a password among the arguments is refused",
    .enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.skipped)))
  func password() throws {
    let result = try Self.collect(["--database", "postgresql://ann:s3cr3t@host/home"])
    #expect(result.status == 1 && result.output.contains("--password-file"), "\(result.output)")
    #expect(!result.output.contains("s3cr3t"))
  }

  @Test(
    "records arrive through a broker in the database, and their receipt returns",
    .enabled(
      if: PostgresServer.isInstalled && MosquittoProcess.isInstalled
        && MosquittoLibrary.isInstalled,
      "SKIPPED: PostgreSQL with PostGIS, or mosquitto, is not installed"))
  func throughBroker() throws {
    let server = try PostgresServer()
    try server.createDatabase("home", from: "gis")
    let folder = try ScratchFolder()
    let broker = try #require(try MosquittoProcess(in: folder))
    try folder.write(
      "[uplink.mqtt]\nbrokers = [\"mqtt://127.0.0.1:\(broker.port)\"]\n", to: "home.toml")
    let collector = try #require(
      ChildProcess(
        BuiltProgram.path("godwit"),
        [
          "collect", "--config", folder.file("home.toml"), "--database", server.address("home"),
        ]))
    #expect(broker.says("Sending SUBACK to godwit-collect"))
    let batch = CollectedBatch.message(
      stream: "s1", try (1...3).map { try PostGISCollectionTests.point($0, at: Int($0)).bytes })
    try folder.write(String(decoding: batch, as: UTF8.self), to: "batch.json")
    let port = String(broker.port)
    let sent = try run(
      "mosquitto_pub", "-p", port, "-q", "1", "-t", "godwit/ann/bike/records", "-f",
      folder.file("batch.json"))
    #expect(sent.status == 0, "\(sent.output)")
    let receipt = try run(
      "mosquitto_sub", "-p", port, "-q", "1", "-C", "1", "-W", "10", "-t",
      "godwit/ann/bike/received")
    let bytes = Array(receipt.output.utf8)
    #expect(CollectorReceipt(parsing: bytes) == CollectorReceipt(stream: "s1", through: 3))
    #expect(try server.sql("SELECT count(*) FROM godwit.track_points", in: "home") == ["3"])
    collector.signal(15)
    #expect(collector.exitCode() == 0)
  }
}
