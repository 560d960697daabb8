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

  /// A departure that does not precede the arrival.
  func after(_ arrival: TimeEstimate) -> TimeEstimate {
    TimeEstimate(
      estimate: max(estimate, arrival.estimate), earliest: max(earliest, arrival.estimate),
      latest: max(latest, arrival.latest, estimate))
  }
}
