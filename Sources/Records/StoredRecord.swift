import Core

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

/// The numbers that visits, destinations and sessions get: they count up from 1.
///
/// Another program may have given a row any number, up to the largest that SQLite holds, after
/// which nothing comes. Such numbers are not counted on from.
public enum RecordIdentifier {
  /// Higher ones are not the tracker's, whose state is JSON and holds whole numbers below 2^53.
  public static let highest: Int64 = 1 << 52

  /// The number after the highest in use.
  public static func following(_ last: Int64) -> Int64 { min(last, highest) + 1 }
}

/// Gives records of one run ids above those of a store that was written by others.
public struct Renumbering: Hashable, Sendable {
  public let visits: Int64
  public let destinations: Int64
  public let sessions: Int64
  /// Crossings and notices.
  public let occurrences: Int64

  /// JSON can hold whole numbers up to twice this.
  private static let highest: Int64 = 1 << 52

  /// Every id rises by the highest of its kind that is in use; ids begin at 1. Nil when the sums
  /// would be no numbers for JSON any more.
  public init?(
    aboveVisit visit: Int64, destination: Int64, session: Int64, occurrence: Int64 = 0
  ) {
    guard max(visit, destination, session, occurrence) <= Self.highest else { return nil }
    visits = max(0, visit)
    destinations = max(0, destination)
    sessions = max(0, session)
    occurrences = max(0, occurrence)
  }

  public func callAsFunction(_ record: Record) -> Record {
    switch record.request {
    case .keep(let row): row.renumbered(by: self).record
    case .deleteVisit(let id): .visitWithdrawn(id: id + visits)
    case .deleteDestination(let id): .destinationWithdrawn(id: id + destinations)
    case .deleteCoarsePoint, .disableAlert, .forgetPlaceEdits, .remember: record
    }
  }

  public func callAsFunction<Row: StoredRecord>(_ row: Row) -> Row { row.renumbered(by: self) }
}
