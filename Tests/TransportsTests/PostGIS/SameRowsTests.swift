import DatabaseStandIns
import Delivery
import Core
import Transports
import Store
import TestSupport
import Testing

/// A database has the same rows as a GeoPackage with the same batches.
@Suite(.enabled(if: PostgresServer.isInstalled, Comment(rawValue: PostgresServer.skipped)))
struct SameRowsTests {
  private typealias Delivered = (device: String, batch: CollectedBatch)

  private static let seeds: ClosedRange<UInt64> = 1...4

  @Test("the same batches in any order, with repetitions, give the same rows and receipts")
  func same() throws {
    let server = try PostgresServer()
    let folder = try ScratchFolder()
    for seed in Self.seeds {
      var random = RandomBatches(seed: seed)
      var deliveries: [Delivered] = []
      for device in ["ann/bike", "ben/boat"] {
        for stream in ["s1", "s2"] {
          let records = random.stream(80)
          deliveries += random.batches(of: records, stream: stream).map { (device, $0) }
        }
      }
      try compare(random.shuffled(deliveries), seed, on: server, folder)
    }
  }

  private func compare(
    _ deliveries: [Delivered], _ seed: UInt64, on server: PostgresServer, _ folder: ScratchFolder
  ) throws {
    let database = "home\(seed)"
    try server.createDatabase(database, from: "gis")
    let collection = try PostGISCollection(
      DatabaseAddress(parsing: server.address(database)), password: nil)
    let path = folder.file("\(database).gpkg")
    let store = try CollectionStore(path: path)
    for delivery in deliveries {
      let receipt = try collection.store(delivery.batch, of: delivery.device)
      #expect(try store.store(delivery.batch, of: delivery.device) == receipt, "seed \(seed)")
    }
    store.close()
    let (here, there) = (
      try CollectionDump.database(database, on: server), try CollectionDump.geoPackage(path)
    )
    for (table, rows) in there {
      #expect(!rows.isEmpty, "seed \(seed): nothing to compare in \(table)")
      #expect(here[table] == rows, "seed \(seed), \(table)")
    }
  }

  @Test("within one stream the order does not matter: the last version is kept") func order() throws
  {
    let server = try PostgresServer()
    for seed in Self.seeds {
      var random = RandomBatches(seed: 100 + seed)
      let records = random.stream(150)
      let batches = random.batches(of: records, stream: "s1")
      var dumps: [[String: [JSONValue]]] = []
      for (index, order) in [[CollectedBatch(stream: "s1", records)], batches].enumerated() {
        let database = "order\(seed)_\(index)"
        try server.createDatabase(database, from: "gis")
        let collection = try PostGISCollection(
          DatabaseAddress(parsing: server.address(database)), password: nil)
        for batch in order { _ = try collection.store(batch, of: "ann/bike") }
        #expect(try collection.receipts().map(\.receipt.through) == [150])
        dumps.append(try CollectionDump.database(database, on: server))
      }
      #expect(dumps[0] == dumps[1], "seed \(seed)")
    }
  }
}
