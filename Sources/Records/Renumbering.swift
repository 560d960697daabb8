/// Gives records of one run ids above those of a store that was written by others.
public struct Renumbering: Hashable, Sendable {
  public let visits: Int64
  public let destinations: Int64
  public let sessions: Int64

  /// JSON can hold whole numbers up to twice this.
  private static let highest: Int64 = 1 << 52

  /// Every id rises by the highest of its kind that is in use; ids begin at 1. Nil when the sums
  /// would be no numbers for JSON any more.
  public init?(aboveVisit visit: Int64, destination: Int64, session: Int64) {
    guard max(visit, destination, session) <= Self.highest else { return nil }
    visits = max(0, visit)
    destinations = max(0, destination)
    sessions = max(0, session)
  }

  public func callAsFunction(_ record: Record) -> Record {
    switch record.request {
    case .keep(let row): row.renumbered(by: self).record
    case .deleteVisit(let id): .visitWithdrawn(id: id + visits)
    case .deleteCoarsePoint, .remember: record
    }
  }

  public func callAsFunction<Row: StoredRecord>(_ row: Row) -> Row { row.renumbered(by: self) }
}
