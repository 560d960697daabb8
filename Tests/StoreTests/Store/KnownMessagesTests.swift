import Records
import Store
import TestSupport
import Testing

/// A process that has the messages in memory need not read them again, unless another program has
/// changed them.
@Suite struct KnownMessagesTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func store() throws -> GeoPackageStore {
    try GeoPackageStore(path: folder.file("store.gpkg"), mark: 1, keepsChangeLog: true)
  }

  private static func message(_ name: String) -> StoredMessage {
    StoredMessage(.init(.letterbox, name), "{}")
  }

  private func keep(
    _ name: String, in store: GeoPackageStore, since mark: Int64?
  ) throws -> [String]? {
    var told: [StoredMessage]?
    try store.changeMessages(since: mark) { items in
      told = items
      var change = MessageChange()
      change.stored = [Self.message(name)]
      return change
    }
    return told?.map(\.key.name)
  }

  @Test("own changes are known, and foreign ones are read in the transaction") func known()
    throws
  {
    let store = try store()
    let mark = try #require(try store.editMark())
    #expect(try keep("a", in: store, since: nil) == [])
    #expect(try keep("b", in: store, since: mark) == nil)
    #expect(try keep("c", in: store, since: store.editMark()) == nil)
    let other = try GeoPackageStore(path: folder.file("store.gpkg"), mark: 1, keepsChangeLog: true)
    #expect(try keep("d", in: other, since: nil) == ["a", "b", "c"])
    try other.close()
    #expect(try keep("e", in: store, since: mark) == ["a", "b", "c", "d"])
    #expect(try keep("f", in: store, since: store.editMark()) == nil)
    #expect(try store.messages().map(\.key.name) == ["a", "b", "c", "d", "e", "f"])
    try store.close()
  }
}
