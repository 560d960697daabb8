import Core
import Records

/// A moment that may not have been watched, in words: as exactly as it is known, and no more so.
struct BoundedTime {
  /// Within this the seconds mean something.
  private static let exact: Seconds = 60

  private let time: TimeEstimate

  init(_ time: TimeEstimate) { self.time = time }

  /// `2026-05-04 07:12:02`, `2026-05-04 07:12`, or `2026-05-04 23:21 to 05-05 11:15`.
  func text(_ style: TableStyle) -> String {
    if time.width <= Self.exact { return style.time(time.estimate) }
    guard !time.isKnown else { return style.minute(time.estimate) }
    return Self.range(time.earliest, time.latest, style)
  }

  /// For a sentence: "2026-05-04 07:12" or "between 2026-05-04 23:21 and 05-05 11:15".
  func phrase(_ style: TableStyle) -> String {
    guard !time.isKnown else { return text(style) }
    return "between " + Self.range(time.earliest, time.latest, style, joined: " and ")
  }

  static func range(
    _ start: UTCInstant, _ end: UTCInstant, _ style: TableStyle, joined: String = " to "
  ) -> String {
    let first = style.minute(start)
    let last = style.minute(end)
    let isSameDay = first.prefix(10) == last.prefix(10)
    return "\(first)\(joined)\(isSameDay ? last.dropFirst(11) : withoutYear(last, of: first))"
  }

  /// "no position for 11 h 40 min from 05-04 23:21": the year is that of the arrival.
  static func gap(_ gap: UnwatchedTime, of visit: Visit, _ style: TableStyle) -> String {
    let start = withoutYear(style.minute(gap.start), of: style.minute(visit.arrival.estimate))
    return "no position for \(gap.duration.hoursAndMinutes) from \(start)"
  }

  /// A year is told where it is another one than that before.
  private static func withoutYear(_ text: String, of other: String) -> Substring {
    text.dropFirst(text.prefix(4) == other.prefix(4) ? 5 : 0)
  }
}

/// The length of a stay or trip, in words; as a range where its ends are not known.
struct BoundedDuration {
  private let least: Seconds
  private let most: Seconds
  private let estimate: Seconds
  private let isKnown: Bool

  init(from start: TimeEstimate, to end: TimeEstimate) {
    estimate = max(0, end.estimate - start.estimate)
    least = max(0, end.earliest - start.latest)
    most = max(0, end.latest - start.earliest)
    isKnown = start.isKnown && end.isKnown
  }

  /// Nil while it goes on.
  init?(_ visit: Visit) {
    guard let departure = visit.departure else { return nil }
    self.init(from: visit.arrival, to: departure)
  }

  /// `7 h 12 min`, or `3 h to 14 h`.
  var text: String {
    isKnown ? estimate.hoursAndMinutes : "\(least.roughly) to \(most.roughly)"
  }
}

extension Seconds {
  /// `26 h`, for what is known no better.
  fileprivate var roughly: String {
    let minutes = wholeMinutes
    return minutes < 60 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }
}
