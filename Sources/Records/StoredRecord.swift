import Core

/// A kind of record that has its own table.
public protocol StoredRecord: Hashable, Sendable {
  static var table: RecordTable<Self> { get }

  /// Decodes a stored row.
  init(row: RowReader) throws(DamagedColumn)

  /// The record in the form that the store receives.
  var record: Record { get }

  /// The time of its last change, for the description of its table; nil if unknown or not recorded.
  var lastChange: UTCInstant? { get }

  /// Whether the record is written at once, because its loss is worse than a page write.
  var isUrgent: Bool { get }

  /// Whether the record must wait until the date is known.
  var needsDate: Bool { get }

  /// Fills in the dates that were unknown when the record was made.
  /// - Parameter moment: when the record was made.
  func dated(at moment: BootInstant, by date: (BootInstant) -> UTCInstant?) -> Self

  /// Moves the ids, its own and those it refers to, above those of a store written by others.
  func renumbered(by shift: Renumbering) -> Self
}

extension StoredRecord {
  public var lastChange: UTCInstant? { nil }
  public var isUrgent: Bool { false }
  public var needsDate: Bool { false }
  public func dated(at moment: BootInstant, by date: (BootInstant) -> UTCInstant?) -> Self { self }
  public func renumbered(by shift: Renumbering) -> Self { self }

  public static var layout: TableLayout { table.layout }

  /// Identifies the record that a later one replaces; nil if records of this kind are never
  /// replaced.
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

/// The ids of visits, destinations and sessions, which count up from 1.
///
/// Another program may have given a row any id, up to SQLite's largest, which has no successor. Ids
/// above `highest` are ignored when counting.
public enum RecordIdentifier {
  /// Higher ids are not the tracker's. Its state is JSON, which holds whole numbers below 2^53.
  public static let highest: Int64 = 1 << 52

  /// The id after the highest one in use.
  public static func following(_ last: Int64) -> Int64 { min(last, highest) + 1 }
}

/// Moves the ids of one run's records above those of a store written by others.
public struct Renumbering: Hashable, Sendable {
  public let visits: Int64
  public let destinations: Int64
  public let sessions: Int64
  /// The offset for crossings and notices.
  public let occurrences: Int64

  /// JSON holds whole numbers up to twice this.
  private static let highest: Int64 = 1 << 52

  /// Every id is raised by the highest one of its kind in use; ids begin at 1. Nil if the sums
  /// would exceed JSON's whole numbers.
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
