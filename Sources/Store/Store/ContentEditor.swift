import Ports
import Records

/// Adds to the data about contents of places: what people do with them, and their interests. Each
/// call is a transaction of its own, which excludes other writers.
public struct ContentEditor {
  private let store: GeoPackageStore

  public init(_ store: GeoPackageStore) { self.store = store }

  /// - Parameter check: receives the earlier actions on that content, in order. Its error is
  ///   rethrown, and nothing is stored.
  public func add(
    _ action: ContentAction, _ check: ([ContentAction]) throws -> Void
  ) throws {
    try edit { (contents) in
      var rows = try RowCursor<ContentAction>(
        store.connection, "WHERE content_id = ?1 ORDER BY id"
      ) { $0.bind(1, action.contentID) }
      // `godwit store check` reports an unreadable one.
      var remarks: [String] = []
      try check(try rows.readable(&remarks))
      try RecordWriter(store.connection).write(action.record, &contents)
    }
  }

  /// - Parameter change: receives the present text, nil if there is none; returns the new one. Its
  ///   error is rethrown, and nothing is stored.
  public func changeInterests(_ change: (String?) throws -> String) throws {
    try edit { (contents) in
      let text = try change(try store.connection.remembered(.interests))
      try RecordWriter(store.connection).write(.interests(text), &contents)
    }
  }

  private func edit(_ body: (inout Contents) throws -> Void) throws {
    var failure: (any Error)?
    do throws(PortError) {
      try store.change { (contents) throws(PortError) in
        do {
          try body(&contents)
        } catch let error as PortError {
          throw error
        } catch {
          failure = error
          throw .failed("it was not to be")
        }
      }
    } catch {
      throw failure ?? error
    }
  }
}
