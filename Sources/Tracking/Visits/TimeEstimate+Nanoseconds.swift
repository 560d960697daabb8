import Core
import Records

extension TimeEstimate {
  /// The estimate within its bounds, in nanoseconds of UTC.
  init(_ estimate: Int64, in bounds: ClosedRange<Int64>) {
    self.init(
      estimate: UTCInstant(
        nanoseconds: min(max(estimate, bounds.lowerBound), bounds.upperBound)),
      earliest: UTCInstant(nanoseconds: bounds.lowerBound),
      latest: UTCInstant(nanoseconds: bounds.upperBound))
  }

  /// It may have been later by up to that many nanoseconds, but not after `end`.
  func later(by time: Int64, until end: Int64) -> TimeEstimate {
    guard time > 0 else { return self }
    let end = max(latest, UTCInstant(nanoseconds: end))
    return TimeEstimate(
      estimate: min(estimate + Seconds(Double(time) / 2e9), end), earliest: earliest,
      latest: min(latest + Seconds(Double(time) / 1e9), end))
  }

  /// A departure that does not precede the arrival.
  func after(_ arrival: TimeEstimate) -> TimeEstimate {
    TimeEstimate(
      estimate: max(estimate, arrival.estimate), earliest: max(earliest, arrival.estimate),
      latest: max(latest, arrival.latest, estimate))
  }
}
