import Formats
import Foundation
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

@Suite struct CellImportTests {
  let scratch: ScratchFolder
  let path: String

  init() throws {
    scratch = try ScratchFolder()
    path = scratch.file("godwit.cells")
  }

  private func cell(
    _ number: UInt64, radio: CellIdentity.Radio = .lte, mcc: UInt16 = 262, area: UInt32 = 7
  ) -> CellIdentity {
    CellIdentity(radio: radio, mcc: mcc, mnc: 2, area: area, cell: number)!
  }

  private func row(
    _ cell: CellIdentity, latitude: Double = 52, updated: Int64 = 100
  ) -> CellRow {
    CellRow(
      cell: cell, position: Coordinate(latitude: Degrees(latitude), longitude: 13.4), range: 800,
      samples: 5, updated: updated)
  }

  private func table(
    _ rows: [CellRow], countries: Set<UInt16> = [], box: CellBox? = nil, adding: Bool = false
  ) throws -> Int {
    let work = try CellImport(
      path: path, order: .init(source: "", countries: countries, box: box), adding: adding)
    for row in rows { work.add(row) }
    try work.commit(CellTableReader())
    return try work.finish()
  }

  private func found(_ cell: CellIdentity) throws -> Double? {
    try RadioMapFiles(path: scratch.file("map"), table: path).tableCell(cell)?
      .position.latitude.value
  }

  @Test("a second import into the same folder is refused while the first goes on") func locked()
    throws
  {
    let first = try CellImport(path: path, order: .init(source: ""), adding: false)
    #expect {
      try CellImport(path: path, order: .init(source: ""), adding: false)
    } throws: { ($0 as? CellImportError)?.message.contains("another import") == true }
    first.add(row(cell(1)))
    try first.commit(CellTableReader())
  }

  @Test("every cell has its own key") func keys() {
    var keys: Set<Int64> = []
    var count = 0
    for radio in CellIdentity.Radio.allCases {
      for mcc in [1, 262, 999] as [UInt16] {
        for mnc in [0, 1, 999] as [UInt16] {
          for number in [1, 0xFFFF, 0x1_0001, 0xFFF_FFFF, 0xF_FFFF_FFFF] as [UInt64] {
            guard
              let cell = CellIdentity(radio: radio, mcc: mcc, mnc: mnc, area: 0xFFFD, cell: number)
            else { continue }
            count += 1
            keys.insert(CellKey.of(cell))
          }
        }
      }
    }
    #expect(keys.count == count)
    #expect(keys.allSatisfy { $0 > 0 })
    // The area does not distinguish LTE cells, but does distinguish GSM cells.
    #expect(CellKey.of(cell(9, area: 1)) == CellKey.of(cell(9, area: 2)))
    #expect(
      CellKey.of(cell(9, radio: .gsm, area: 1)) != CellKey.of(cell(9, radio: .gsm, area: 2)))
  }

  @Test("imported cells are found, others are not") func lookUp() throws {
    #expect(try found(cell(1)) == nil)
    #expect(try table((1...500).map { row(cell($0), latitude: 40 + Double($0) / 100) }) == 500)
    #expect(try found(cell(250)) == 42.5)
    #expect(try found(cell(501)) == nil)
    #expect(try found(cell(250, mcc: 263)) == nil)
    let place = try #require(
      try RadioMapFiles(path: scratch.file("map"), table: path).tableCell(cell(250)))
    #expect(place.range == 800)
    #expect(place.samples == 5)
  }

  @Test("countries and a box filter the cells, also across the 180th meridian") func filters()
    throws
  {
    let rows = [row(cell(1)), row(cell(2, mcc: 204)), row(cell(3), latitude: 10)]
    #expect(try table(rows, countries: [262]) == 2)
    let box = try #require(CellBox(south: 50, west: 13, north: 53, east: 14))
    #expect(try table(rows, countries: [262], box: box) == 1)
    let across = try #require(CellBox(south: -90, west: 170, north: 90, east: -170))
    #expect(across.contains(Coordinate(latitude: 0, longitude: 179)))
    #expect(across.contains(Coordinate(latitude: 0, longitude: -179)))
    #expect(!across.contains(Coordinate(latitude: 0, longitude: 0)))
    #expect(CellBox(south: 53, west: 13, north: 50, east: 14) == nil)
  }

  @Test("of two rows for one cell the later one is used, whatever their order") func later() throws
  {
    let old = row(cell(1), latitude: 10, updated: 100)
    let new = row(cell(1), latitude: 20, updated: 200)
    for rows in [[old, new], [new, old]] {
      #expect(try table(rows) == 1)
      #expect(try found(cell(1)) == 20)
    }
  }

  @Test("a new table replaces the old one, or adds to it, during a reader's access") func replace()
    throws
  {
    _ = try table([row(cell(1))])
    let reader = RadioMapFiles(path: scratch.file("map"), table: path)
    #expect(try reader.tableCell(cell(1)) != nil)
    #expect(try table([row(cell(2))], adding: true) == 2)
    #expect(try reader.tableCell(cell(2)) != nil)
    #expect(try table([row(cell(3))]) == 1)
    #expect(try reader.tableCell(cell(1)) == nil)
    #expect(try reader.tableCell(cell(3)) != nil)
    #expect(scratch.files == ["godwit.cells"])
  }

  /// Copies as a child process has them between fork(2) and exec(2).
  @Test("copies of its descriptors do not block the next import") func copies() throws {
    var copies: [Int32] = []
    defer { copies.forEach { close($0) } }
    do {
      let work = try CellImport(path: path, order: .init(source: "file 1"), adding: false)
      let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      for number in names.compactMap({ Int32($0) }) where Self.target(of: number) == scratch.path {
        copies.append(dup(number))
      }
      withExtendedLifetime(work) {}
    }
    #expect(!copies.isEmpty)
    _ = try CellImport(path: path, order: .init(source: "file 2"), adding: false)
  }

  private static func target(of descriptor: Int32) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
  }

  @Test("a killed import resumes where it was, with the same command only")
  func goingOn() throws {
    let order = CellImport.Selection(source: "file 1", countries: [262])
    var reader = CellTableReader()
    do {
      let work = try CellImport(path: path, order: order, adding: false)
      let text = "GSM,262,2,801,1795,0,13.2,52.5,5716,9,1,1,1,0\n"
      Array(text.utf8).withUnsafeBufferPointer { reader.feed($0) { work.add($0) } }
      try work.commit(reader)
    }
    #expect(scratch.files.contains("godwit.cells.part"))
    do {
      let other = try CellImport(
        path: scratch.file("x"), order: .init(source: "file 2"), adding: false)
      #expect(other.resumed == nil)
    }
    do {
      let work = try CellImport(path: path, order: order, adding: false)
      #expect(work.resumed?.offset == reader.offset)
      #expect(work.kept == 1)
      work.add(row(cell(2)))
      try work.commit(reader)
      #expect(try work.finish() == 2)
    }
    let changed = try CellImport(path: path, order: .init(source: "file 3"), adding: false)
    #expect(changed.resumed == nil)
  }

  @Test("remains of a broken import are discarded") func brokenPart() throws {
    let order = CellImport.Selection(source: "file 1")
    do {
      let work = try CellImport(path: path, order: order, adding: false)
      for number in 1...2000 { work.add(row(cell(UInt64(number)))) }
      try work.commit(CellTableReader())
      _ = try work.finish()
    }
    let part = URL(fileURLWithPath: path + ".part")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(4096..., with: Data(repeating: 0x55, count: bytes.count - 4096))
    try bytes.write(to: part)
    let work = try CellImport(path: path, order: order, adding: false)
    #expect(work.resumed == nil)
    work.add(row(cell(1)))
    try work.commit(CellTableReader())
    #expect(try work.finish() == 1)
  }

  @Test("a damaged table is reported, does not stop the rest, and is replaced") func damaged()
    throws
  {
    _ = try table((1...2000).map { row(cell($0)) })
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(100..., with: Data(repeating: 0x55, count: bytes.count - 100))
    try bytes.write(to: URL(fileURLWithPath: path))
    let files = RadioMapFiles(path: scratch.file("map"), table: path)
    let error = thrown(PortError.self) { _ = try files.tableCell(cell(1)) }
    #expect(error?.message.contains("godwit cells import") == true, "\(error as Any)")
    #expect(try files.accessPoints([1]).isEmpty)
    _ = try table([row(cell(1))])
    #expect(try files.tableCell(cell(1)) != nil)
  }

  @Test("a table reports its countries") func contents() throws {
    #expect(try CellTableContents(path: path) == nil)
    _ = try table([row(cell(1)), row(cell(2, mcc: 204)), row(cell(3, radio: .gsm))])
    let contents = try #require(try CellTableContents(path: path))
    #expect(contents.cells == 3)
    #expect(contents.countries.map(\.mcc) == [204, 262])
    #expect(contents.countries.map(\.cells) == [1, 2])
    #expect(contents.newest == 100)
  }
}
