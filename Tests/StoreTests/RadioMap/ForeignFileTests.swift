import Foundation
import Ports
import Core
import Records
import TestSupport
import Testing

@testable import Store

/// Files that `coarse.radio_map_path`, `cell.table_path` and `--table` may name by mistake.
enum ForeignFile: CaseIterable {
  case store, database, text, shortText, directory, link, deadLink, linkToMap, readOnly, pipe, log

  /// Creates the file with everything that belongs to it.
  func make(at path: String, in scratch: ScratchFolder) throws {
    switch self {
    case .store: try sql(path, "PRAGMA application_id = 0x47504B47; CREATE TABLE fixes (id)")
    case .database:
      try sql(path, "PRAGMA journal_mode = WAL; CREATE TABLE cells (id); PRAGMA user_version = 1")
    case .text, .readOnly:
      try Data(String(repeating: "a text of some length\n", count: 50).utf8)
        .write(to: URL(fileURLWithPath: path))
      if self == .readOnly { try #require(chmod(path, 0o444) == 0) }
    case .shortText: try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    case .directory:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .link:
      try scratch.write("somebody's text", to: "text")
      try #require(symlink(scratch.file("text"), path) == 0)
    case .deadLink: try #require(symlink(scratch.file("nothing"), path) == 0)
    case .linkToMap:
      _ = try RadioMapFiles(path: scratch.file("real"), table: "").pseudonyms()
      try #require(symlink(scratch.file("real"), path) == 0)
    case .pipe: try #require(mkfifo(path, 0o600) == 0)
    case .log: break
    }
  }

  private func sql(_ path: String, _ text: String) throws {
    let made = try run("sqlite3", path, text)
    try #require(made.status == 0, "\(made.output)")
  }
}

/// A wrong path causes an error only: the file that it names stays unchanged, byte for byte.
@Suite struct ForeignFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Everything in the folder: names, kinds and contents.
  private func everything() throws -> [String] {
    try scratch.files.sorted().map { name in
      let path = scratch.file(name)
      let facts = try FileManager.default.attributesOfItem(atPath: path)
      let type = facts[.type] as? FileAttributeType
      let content =
        switch type {
        case .typeRegular: try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
        case .typeSymbolicLink: try FileManager.default.destinationOfSymbolicLink(atPath: path)
        default: ""
        }
      return "\(name) \(type?.rawValue ?? "") \(facts[.posixPermissions] ?? "") \(content)"
    }
  }

  private func path(_ file: ForeignFile) -> String {
    scratch.file(file == .log ? "store.gpkg-wal" : "wrong")
  }

  private let cell = CellIdentity(radio: .lte, mcc: 262, mnc: 2, area: 7, cell: 1)!

  @Test(
    "a path of a radio map that names another file does not change it",
    arguments: ForeignFile.allCases)
  func learnt(file: ForeignFile) throws {
    let path = path(file)
    try file.make(at: path, in: scratch)
    let before = try everything()
    let map = RadioMapFiles(path: path, table: scratch.file("none"))
    for _ in 0..<3 {
      let error = thrown(PortError.self) { _ = try map.pseudonyms() }
      #expect(error?.message.contains("coarse.radio_map_path") == true, "\(error as Any)")
      let saving = thrown(PortError.self) { try map.save([], cell: nil) }
      #expect(saving != nil)
    }
    map.close()
    #expect(try everything() == before)
  }

  @Test(
    "a path of a cell table that names another file does not replace it",
    arguments: ForeignFile.allCases)
  func cells(file: ForeignFile) throws {
    let path = path(file)
    try file.make(at: path, in: scratch)
    let before = try everything()
    for adding in [false, true] {
      let error = thrown(CellImportError.self) {
        _ = try CellImport(path: path, order: .init(source: "a"), adding: adding)
      }
      #expect(error?.message.contains("was not changed") == true, "\(error as Any)")
    }
    let map = RadioMapFiles(path: scratch.file("map"), table: path)
    _ = try? map.tableCell(cell)
    #expect(try everything() == before)
  }

  @Test("nor is a file at the place of the new table replaced", arguments: ForeignFile.allCases)
  func part(file: ForeignFile) throws {
    guard file != .log else { return }
    try file.make(at: scratch.file("cells.part"), in: scratch)
    let before = try everything()
    let error = thrown(CellImportError.self) {
      _ = try CellImport(path: scratch.file("cells"), order: .init(source: ""), adding: false)
    }
    #expect(error?.message.contains("cells.part") == true, "\(error as Any)")
    #expect(try everything() == before)
  }

  @Test("a file that appeared at the table's path during the import is not replaced")
  func cameMeanwhile() throws {
    let work = try CellImport(
      path: scratch.file("cells"), order: .init(source: "a"), adding: false)
    try scratch.write("somebody's text", to: "cells")
    let error = thrown(CellImportError.self) { _ = try work.finish() }
    #expect(error?.message.contains("was not changed") == true, "\(error as Any)")
    #expect(
      try String(contentsOf: URL(fileURLWithPath: scratch.file("cells")), encoding: .utf8)
        == "somebody's text")
  }

  @Test("a radio map is not accepted as a table of cells, nor the reverse") func exchanged() throws
  {
    let map = scratch.file("map")
    let table = scratch.file("table")
    _ = try RadioMapFiles(path: map, table: "").pseudonyms()
    let work = try CellImport(path: table, order: .init(source: ""), adding: false)
    _ = try work.finish()
    let before = try everything()
    let files = RadioMapFiles(path: table, table: map)
    #expect(thrown(PortError.self) { _ = try files.pseudonyms() } != nil)
    #expect(thrown(PortError.self) { _ = try files.tableCell(cell) } != nil)
    #expect(
      thrown(CellImportError.self) {
        _ = try CellImport(path: map, order: .init(source: ""), adding: false)
      } != nil)
    #expect(try everything() == before)
  }

  @Test("a map with a damaged beginning cannot be identified, and stays") func noHeader()
    throws
  {
    let path = scratch.file("map")
    let first = RadioMapFiles(path: path, table: "")
    _ = try first.pseudonyms()
    first.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(0..<100, with: Data(repeating: 0xAA, count: 100))
    try bytes.write(to: URL(fileURLWithPath: path))
    let before = try everything()
    let second = RadioMapFiles(path: path, table: "")
    #expect(thrown(PortError.self) { _ = try second.pseudonyms() } != nil)
    #expect(try everything() == before)
  }

  @Test("a damaged map does not replace another file") func asideIsTaken() throws {
    let path = scratch.file("map")
    let first = RadioMapFiles(path: path, table: "")
    _ = try first.pseudonyms()
    first.close()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(100..., with: Data(repeating: 0x55, count: bytes.count - 100))
    try bytes.write(to: URL(fileURLWithPath: path))
    try scratch.write("somebody's text", to: "map.damaged")
    let before = try everything()
    let second = RadioMapFiles(path: path, table: "")
    let error = thrown(PortError.self) { _ = try second.pseudonyms() }
    #expect(error?.message.contains("move both away") == true, "\(error as Any)")
    #expect(try everything() == before)
  }

  @Test("a file that only has the name of a log is not deleted", arguments: ["-wal", "-journal"])
  func intruder(suffix: String) throws {
    for name in ["map", "cells", "new.part"] { try scratch.write("somebody's", to: name + suffix) }
    let before = try everything()
    let files = RadioMapFiles(path: scratch.file("map"), table: "")
    #expect(thrown(PortError.self) { _ = try files.pseudonyms() } != nil)
    for name in ["cells", "new"] {
      #expect(
        thrown(CellImportError.self) {
          _ = try CellImport(
            path: scratch.file(name), order: .init(source: "a"), adding: false)
        } != nil)
    }
    #expect(try everything() == before)
  }

  @Test("an empty file is treated as missing") func empty() throws {
    try scratch.write("", to: "map")
    try scratch.write("", to: "cells")
    let files = RadioMapFiles(path: scratch.file("map"), table: scratch.file("cells"))
    _ = try files.pseudonyms()
    #expect(try files.tableCell(cell) == nil)
    let work = try CellImport(
      path: scratch.file("cells"), order: .init(source: ""), adding: true)
    #expect(try work.finish() == 0)
    #expect(DatabaseKind(path: scratch.file("map")) == .learntMap)
    #expect(DatabaseKind(path: scratch.file("cells")) == .cellTable)
  }
}
