import Foundation
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// A store with some hundred rows in every table, and ways to damage it.
struct Life {
  let folder: ScratchFolder
  let path: String

  init(points: Int = 800) throws {
    folder = try ScratchFolder()
    path = folder.file("track.gpkg")
    let store = try GeoPackageStore(path: path, durability: .onceInAWhile)
    for index in 0..<points {
      try store.write(Self.records(index))
    }
    try store.write([.trackerState(#"{"version":0,"\#(String(repeating: "x", count: 3000))":1}"#)])
    try store.close()
  }

  private static func records(_ index: Int) -> [Record] {
    let time = Seconds(Double(index) * 300)
    let here = position(52 + Double(index % 100) * 0.01, 5)
    var records: [Record] = [.trackPoint(point(at: time, here))]
    guard index % 5 == 0 else { return records }
    let id = Int64(index / 5 + 1)
    var stay = visit(id, from: time, to: time + 200)
    stay.destination = id / 10 + 1
    let segment = PowerSegment(
      state: .tracking, start: start + time, duration: 20, charge: 1, energy: 2,
      energyUncertainty: nil, basis: .modelled)
    let observation = CoarseObservation(
      received: .zero + time, time: start + time, position: here, accuracy: 40,
      accessPoint: "aa:bb", source: "wifi")
    records += [
      .session(session(id, at: time, lasting: 20)), .visit(stay),
      .destination(
        Destination(
          id: id / 10 + 1, position: here, radius: 20, visits: 1, totalDwell: 600, label: "Nº \(id)"
        )),
      .event(LogEvent("gnss-on", "a fix was due"), time: start + time),
      .coarse(observation), .powerSegment(segment),
    ]
    return records
  }

  /// Pages at the start of the file without which no SQL works: the schema.
  static let schemaPages = 40

  func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }

  func overwrite(_ bytes: [UInt8]) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Writes noise over some pages after the schema.
  func damage(pages: Int, seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    var bytes = try bytes()
    let count = bytes.count / Connection.pageSize
    for _ in 0..<pages {
      let page = Int.random(in: Self.schemaPages..<count, using: &random)
      let noise = random.bytes(Connection.pageSize)
      bytes.replaceSubrange(page * noise.count..<(page + 1) * noise.count, with: noise)
    }
    try overwrite(bytes)
  }

  /// Also statements that change the schema, which the sqlite3 of Debian 13 refuses by default.
  func sql(_ text: String) throws {
    let ended = try run("sqlite3", "-cmd", ".dbconfig defensive off", path, text)
    try #require(ended.status == 0, "\(ended.output)")
  }

  /// The ids of the rows that can be read one by one.
  static func readable(_ path: String, among ids: [String: [Int64]]) throws -> [String: Set<Int64>]
  {
    let connection = try StoreReader.connection(path, isDamaged: true)
    var found: [String: Set<Int64>] = [:]
    for table in Table.examined {
      let name = table.name
      // The damage may also have removed the name of a table that was empty.
      guard let wanted = ids[name] else { continue }
      let row = try connection.prepareOnce(table.select + " WHERE id = ?1")
      for id in wanted {
        row.reset()
        row.bind(1, id)
        guard (try? row.step()) == true, row.integer(0) == id,
          (try? table.read(RowReader(row, table.positions))) != nil
        else { continue }
        found[name, default: []].insert(id)
      }
    }
    return found
  }

  func ids() throws -> [String: [Int64]] {
    let connection = try StoreReader.connection(path)
    var ids: [String: [Int64]] = [:]
    for table in Table.examined {
      let row = try connection.prepareOnce("SELECT id FROM \(table.name)")
      while try row.step() { ids[table.name, default: []].append(row.integer(0) ?? 0) }
    }
    return ids
  }
}
