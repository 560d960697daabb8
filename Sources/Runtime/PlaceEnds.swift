import Formats
import Places
import Ports
import Core
import Records

/// Which places come to the end of their time, for those who want to be told of changes: once, at
/// the end.
struct PlaceEnds {
  /// What has ended while the daemon did not run is told for so long.
  private static let late: Seconds = .hours(6)
  private static let most = 200

  private let writer: StoreWriter
  private let visitor: Visitor
  private var isWanted = false
  /// What has ended by then was told.
  private var told: PlaceEndMark?
  /// Whether all that had ended before the daemon began was told.
  private var isUpToDate = false
  private var next: UTCInstant?
  private var isStale = true
  /// When the next one ends; nil: none does, or the date is unknown.
  private(set) var due: BootInstant?

  init(_ writer: StoreWriter, visitor: Visitor) {
    self.writer = writer
    self.visitor = visitor
  }

  /// Places or alerts are others now.
  /// - Parameter isWanted: whether anybody wants to be told of changes.
  mutating func edited(isWanted: Bool) {
    self.isWanted = isWanted
    isStale = true
  }

  /// What has ended since.
  mutating func passed(at now: BootInstant, date: UTCInstant?) throws(PortError) -> [PlaceEdit] {
    guard let date else { return [] }
    guard isWanted else {
      told = PlaceEndMark(date)
      isUpToDate = true
      due = nil
      return []
    }
    plan(at: now, date)
    guard isStale || next.map({ $0 <= date }) ?? false else { return [] }
    let start = told ?? PlaceEndMark(date - Self.late)
    let ends = try writer.ask { [most = Self.most, isUpToDate] (store) throws(PortError) in
      // An earlier run may have told some.
      try store.placeEnds(
        after: start.time <= date ? start : PlaceEndMark(date), by: date,
        unnoticed: !isUpToDate, atMost: most)
    }
    guard let ends else { return [] }
    // Too many at once follow at the next turn.
    isStale = ends.rest != nil
    if !isStale { isUpToDate = true }
    told = ends.rest ?? PlaceEndMark(date)
    next = isStale ? date : ends.next
    plan(at: now, date)
    return ends.places.compactMap { $0.entry(.ofStore).place }.filter(visitor.sees)
      .map { PlaceEdit(ended: $0) }
  }

  private mutating func plan(at now: BootInstant, _ date: UTCInstant) {
    due = next.map { now + ($0 - date) + TrackPoint.resolution }
  }
}
