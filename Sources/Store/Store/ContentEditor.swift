import Ports
import Records

/// Adds to what is known of contents of places: what people do with them, and what interests them.
/// Each call is a transaction of its own, in which nobody else writes.
public struct ContentEditor {
  private let store: GeoPackageStore

  public init(_ store: GeoPackageStore) { self.store = store }

  /// - Parameter check: told what was done with that content before, in its order. What it throws
  ///   comes out, and nothing is kept.
  public func add(
    _ action: ContentAction, _ check: ([ContentAction]) throws -> Void
  ) throws {
    try edit { (contents) in
      var rows = try RowCursor<ContentAction>(
        store.connection, "WHERE content_id = ?1 ORDER BY id"
      ) { $0.bind(1, action.contentID) }
      // One that cannot be read is for `godwit store check` to tell.
      var remarks: [String] = []
      try check(try rows.readable(&remarks))
      try RecordWriter(store.connection).write(action.record, &contents)
    }
  }

  /// - Parameter change: told the text that there is, nil where there is none; returns the one that
  ///   there shall be. What it throws comes out, and nothing is kept.
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
