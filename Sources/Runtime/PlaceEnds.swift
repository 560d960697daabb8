import Formats
import Places
import Ports
import Core
import Records

/// Finds places whose lifetime ends, for alerts about changes. Each end is reported once.
struct PlaceEnds {
  /// How far back ends are reported that passed while the daemon was not running.
  private static let late: Seconds = .hours(6)
  private static let most = 200

  private let writer: StoreWriter
  private let visitor: Visitor
  private var isWanted = false
  /// Ends up to this mark were reported.
  private var reportedUpTo: PlaceEndMark?
  /// Whether all ends before the start of the daemon were reported.
  private var isUpToDate = false
  private var next: UTCInstant?
  private var isStale = true
  /// When the next place ends; nil: none does, or the date is unknown.
  private(set) var due: BootInstant?

  init(_ writer: StoreWriter, visitor: Visitor) {
    self.writer = writer
    self.visitor = visitor
  }

  /// Places or alerts were edited.
  /// - Parameter isWanted: whether an alert about changes is in force.
  mutating func edited(isWanted: Bool) {
    self.isWanted = isWanted
    isStale = true
  }

  /// The places that have ended since the last call.
  mutating func passed(at now: BootInstant, date: UTCInstant?) throws(PortError) -> [PlaceEdit] {
    guard let date else { return [] }
    guard isWanted else {
      reportedUpTo = PlaceEndMark(date)
      isUpToDate = true
      due = nil
      return []
    }
    plan(at: now, date)
    guard isStale || next.map({ $0 <= date }) ?? false else { return [] }
    let start = reportedUpTo ?? PlaceEndMark(date - Self.late)
    let ends = try writer.query { [most = Self.most, isUpToDate] (store) throws(PortError) in
      // An earlier run may have reported some.
      try store.placeEnds(
        after: start.time <= date ? start : PlaceEndMark(date), by: date,
        unnoticed: !isUpToDate, atMost: most)
    }
    guard let ends else { return [] }
    // If there are too many at once, the rest follows at the next step.
    isStale = ends.rest != nil
    if !isStale { isUpToDate = true }
    reportedUpTo = ends.rest ?? PlaceEndMark(date)
    next = isStale ? date : ends.next
    plan(at: now, date)
    return ends.places.compactMap { $0.entry(.ofStore).place }.filter(visitor.sees)
      .map { PlaceEdit(ended: $0) }
  }

  private mutating func plan(at now: BootInstant, _ date: UTCInstant) {
    due = next.map { now + ($0 - date) + TrackPoint.resolution }
  }
}
