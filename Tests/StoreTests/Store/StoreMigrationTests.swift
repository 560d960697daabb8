import Foundation
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// Stores of older programs, opened by this one.
@Suite struct StoreMigrationTests {
  let folder: ScratchFolder
  let path: String

  init() throws {
    folder = try ScratchFolder()
    path = folder.file("life.gpkg")
  }

  private var kept: String { "\(path).before-lines-3" }

  /// A store that has had the steps before `lines-3`, and contains records.
  private func makeOlder() throws {
    let connection = try Connection(path: path, access: .readWriteCreating)
    defer { connection.close() }
    let steps = Array(Migration.all.prefix { $0.name != "lines-3" })
    let isChanged = try Migration.apply(steps, to: connection)
    #expect(isChanged)
    try connection.execute(
      "INSERT INTO meta (key, value) VALUES ('place', 'Groningen')", doing: "prepare")
  }

  private func place(in file: String) throws -> Int64? {
    let connection = try Connection(path: file, access: .readOnly)
    defer { connection.close() }
    return try connection.integer("SELECT count(*) FROM meta WHERE value = 'Groningen'")
  }

  private func dueStep(in file: String) throws -> String? {
    let connection = try Connection(path: file, access: .readOnly)
    defer { connection.close() }
    return try Migration.due(in: connection)?.name
  }

  @Test("an unchanged copy is beside it, which the older program reads") func copy() throws {
    try makeOlder()
    let store = try GeoPackageStore(path: path, mark: 1)
    let opening = try #require(try store.ensureOpen())
    let notice = try #require(opening.notice)
    #expect(notice.contains(kept))
    #expect(opening.warning == nil)
    try store.close()

    #expect(try dueStep(in: kept) == "lines-3")
    #expect(try place(in: kept) == 1)
    #expect(try dueStep(in: path) == nil)
    #expect(try place(in: path) == 1)
  }

  @Test("the copy is made once, and never of a new file") func once() throws {
    try makeOlder()
    for _ in 0..<2 { try GeoPackageStore(path: path, mark: 1).close() }
    #expect(copies() == ["life.gpkg.before-lines-3"])
    let other = folder.file("new.gpkg")
    let store = try GeoPackageStore(path: other, mark: 1)
    #expect(try store.ensureOpen()?.notice == nil)
    try store.close()
    #expect(copies().count == 1)
  }

  @Test("a copy of an earlier time is not overwritten") func numbered() throws {
    try makeOlder()
    try "precious".write(toFile: kept, atomically: true, encoding: .utf8)
    try GeoPackageStore(path: path, mark: 1).close()
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "precious")
    #expect(copies() == ["life.gpkg.before-lines-3", "life.gpkg.before-lines-3-2"])
  }

  @Test("the reason for a missing copy is reported") func noCopy() throws {
    let notice = StoreBeforeMigration(of: folder.file("gone/life.gpkg"), before: "lines-3").notice
    #expect(notice.contains("without a copy"))
  }

  private func copies() -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).filter { $0.contains("before") }.sorted()
  }
}
