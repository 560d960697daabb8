import Core

/// Limits notices of nearby meetings: an organizer who creates, cancels and revives meetings all
/// day must not cause a notice each time. The meetings themselves are shown nevertheless.
struct MeetingNotices: Sendable {
  private static let mostADay = 10
  private static let mostOrganizers = 256

  /// Times of notices within the last day, by organizer.
  private var noticeTimes: [PersonAddress: [UTCInstant]] = [:]

  /// - Returns: whether one more notice for that organizer is allowed.
  mutating func allow(_ organizer: PersonAddress, at date: UTCInstant) -> Bool {
    var times = noticeTimes[organizer, default: []].filter { $0 <= date && date - $0 < .days(1) }
    guard times.count < Self.mostADay else { return false }
    if noticeTimes[organizer] == nil { makeRoom() }
    times.append(date)
    noticeTimes[organizer] = times
    return true
  }

  private mutating func makeRoom() {
    guard noticeTimes.count >= Self.mostOrganizers,
      let oldest = noticeTimes.min(by: { Self.lastTime($0.value) < Self.lastTime($1.value) })
    else { return }
    noticeTimes[oldest.key] = nil
  }

  private static func lastTime(_ times: [UTCInstant]) -> UTCInstant {
    times.last ?? UTCInstant(seconds: 0)
  }
}
