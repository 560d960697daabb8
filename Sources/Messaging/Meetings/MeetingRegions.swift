import Core
import Places
import Records

/// Relates the board's last location to the regions of meetings.
struct MeetingRegions: Sendable {
  /// The probability from which the board counts as inside a region, and below which it has left.
  private static let sureInside = 0.5
  private static let stillInside = 0.05

  /// Built on demand: a region with many corners is expensive.
  private var regions: [UniqueID: PlaceRegion] = [:]
  private var last: Location?

  func region(of meeting: Meeting) -> PlaceRegion { regions[meeting.id] ?? meeting.region.region }

  mutating func forget(_ id: UniqueID) { regions[id] = nil }

  /// - Returns: whether the location is valid.
  mutating func located(_ location: Location) -> Bool {
    let position = location.position
    guard location.accuracy >= 0, location.accuracy.isFinite, position.latitude.magnitude <= 90,
      position.longitude.magnitude <= 180
    else { return false }
    last = location
    return true
  }

  /// Whether the board is inside the meeting's region now; as before where that is unknown.
  mutating func isInside(_ record: MeetingRecord) -> Bool {
    guard let last else { return record.isInside }
    let region = region(of: record.meeting)
    regions[record.meeting.id] = region
    guard let inside = Containment(of: last, in: region)?.probabilityInside else {
      return record.isInside
    }
    return inside >= (record.isInside ? Self.stillInside : Self.sureInside)
  }
}
