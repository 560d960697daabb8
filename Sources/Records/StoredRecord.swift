import Quantities

/// A kind of record: what is kept in a table of its own.
public protocol StoredRecord: Hashable, Sendable {
  static var table: RecordTable<Self> { get }

  /// A row as it was kept.
  init(row: RowReader) throws(DamagedColumn)

  /// As it is handed to the store.
  var record: Record { get }

  /// When what it tells changed last, for the description of its table; nil while that is not known
  /// or not told.
  var lastChange: UTCInstant? { get }

  /// Whether its loss would hurt more than a page write: it does not wait for others.
  var isUrgent: Bool { get }

  /// Whether it has to wait for the date as long as nobody knows that.
  var needsDate: Bool { get }

  /// With the dates that were not known when it came about.
  /// - Parameter moment: when it came about.
  func dated(at moment: BootInstant, by date: (BootInstant) -> UTCInstant?) -> Self

  /// With the ids, its own and those that it names, above those of a store written by others.
  func renumbered(by shift: Renumbering) -> Self
}

extension StoredRecord {
  public var lastChange: UTCInstant? { nil }
  public var isUrgent: Bool { false }
  public var needsDate: Bool { false }
  public func dated(at moment: BootInstant, by date: (BootInstant) -> UTCInstant?) -> Self { self }
  public func renumbered(by shift: Renumbering) -> Self { self }

  public static var layout: TableLayout { table.layout }

  /// What a later record has in common with the one that it replaces; nil where each stands alone.
  public var identity: RecordIdentity? {
    let table = Self.table
    guard table.layout.key == .given, let id = table.key.id(self) else { return nil }
    return RecordIdentity(table: table.layout.name, id: id)
  }
}

public struct RecordIdentity: Hashable, Sendable {
  let table: String
  let id: Int64
}
