import Core

/// Limits notices of nearby meetings: an organizer who creates, cancels and revives meetings all
/// day must not cause a notice each time. The meetings themselves are shown nevertheless.
struct MeetingNotices: Sendable {
  private static let mostADay = 10
  private static let mostOrganizers = 256

  /// Times of notices within the last day, by organizer.
  private var told: [PersonAddress: [UTCInstant]] = [:]

  /// - Returns: whether one more notice for that organizer is allowed.
  mutating func take(_ organizer: PersonAddress, at date: UTCInstant) -> Bool {
    var times = told[organizer, default: []].filter { $0 <= date && date - $0 < .days(1) }
    guard times.count < Self.mostADay else { return false }
    if told[organizer] == nil { makeRoom() }
    times.append(date)
    told[organizer] = times
    return true
  }

  private mutating func makeRoom() {
    guard told.count >= Self.mostOrganizers,
      let oldest = told.min(by: { Self.lastTime($0.value) < Self.lastTime($1.value) })
    else { return }
    told[oldest.key] = nil
  }

  private static func lastTime(_ times: [UTCInstant]) -> UTCInstant {
    times.last ?? UTCInstant(seconds: 0)
  }
}
