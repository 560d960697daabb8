import Core
import Records

/// A time that may not have been observed, as text: exactly as precise as it is known.
struct BoundedTime {
  /// Within this width the seconds are meaningful.
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
  static func gap(_ gap: UnobservedPeriod, of visit: Visit, _ style: TableStyle) -> String {
    let start = withoutYear(style.minute(gap.start), of: style.minute(visit.arrival.estimate))
    return "no position for \(gap.duration.hoursAndMinutes) from \(start)"
  }

  /// The year is omitted if it is the same as before.
  private static func withoutYear(_ text: String, of other: String) -> Substring {
    text.dropFirst(text.prefix(4) == other.prefix(4) ? 5 : 0)
  }
}

/// The length of a stay or trip, as text; a range if its ends are not known.
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

  /// Nil while the visit goes on.
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
  /// `26 h`, for durations known no more precisely.
  fileprivate var roughly: String {
    let minutes = wholeMinutes
    return minutes < 60 ? "\(minutes) min" : "\((minutes + 30) / 60) h"
  }
}
