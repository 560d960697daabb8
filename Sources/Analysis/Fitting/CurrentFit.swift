import Records
import Core

/// The current of one state, from its measured segments.
///
/// Segments in the order of time are joined into at most thirty batches of about the same duration,
/// whose means are weighted by duration: drift from hour to hour, such as with the temperature,
/// then counts as scatter between batches and is not averaged away (batch means; Law and Kelton,
/// "Simulation Modeling and Analysis", 9.5.3).
struct CurrentFit {
  static let mostBatches = 30
  static let fewestSegments = 3

  let segments: [MeasuredSegment]
  let state: GnssState

  func finding(_ errors: MonitorErrors) -> Finding<Amperes> {
    guard !segments.isEmpty else {
      return .undetermined(because: "no measured segment in the state '\(state.rawValue)'")
    }
    let duration = segments.reduce(Seconds(0)) { $0 + $1.duration }
    let needed = ReceiverEnergyModel.minMeasured(in: state)
    guard duration >= needed else {
      return .undetermined(
        because: "measured for \(duration.inWords) in all, but \(needed.inWords) are needed")
    }
    let batches = batches
    let mean = Batch.mean(of: batches)
    guard mean.magnitude > errors.floor else {
      return .atMost(
        max(errors.mostBelowFloor, mean), because: "below the floor of the monitor")
    }
    guard mean > 0 else {
      return .undetermined(
        because: "the monitor measured a negative current: are VIN+ and VIN- swapped?")
    }
    guard let scatter = Scatter(batches, mean: mean) else {
      return .undetermined(
        because: "\(Counted.text(segments.count, "segment")), or one that is nearly all of them: "
          + "too few for an interval")
    }
    let half = CoverageInterval(scatter: scatter.halfWidth, limits: errors.limits(of: mean))
      .halfWidth
    return .determined(
      Estimate(
        value: mean, low: max(0, mean - Amperes(half)), high: mean + Amperes(half),
        scatter: Amperes(scatter.halfWidth), systematic: errors.uncertainty(of: mean),
        count: segments.count))
  }

  /// Joins neighbours until each batch has its share of the time.
  var batches: [Batch] {
    let total = segments.reduce(Seconds(0)) { $0 + $1.duration }
    let share = total / Double(Self.mostBatches)
    var batches: [Batch] = []
    var open = Batch()
    for segment in segments {
      open.add(segment)
      if segments.count <= Self.mostBatches || open.duration >= share {
        batches.append(open)
        open = Batch()
      }
    }
    if open.duration > 0 { batches.append(open) }
    return batches
  }

  /// The largest permanent change of the current that exceeds its scatter, for example after a
  /// change of the shunt or the board: since when, and by which share; nil: none.
  var jump: (since: UTCInstant, share: Double)? {
    let batches = batches
    guard batches.count >= 6 else { return nil }
    var largest: (since: UTCInstant, share: Double)?
    for split in 3...(batches.count - 3) {
      let parts = [Array(batches[..<split]), Array(batches[split...])]
      let means = parts.map { Batch.mean(of: $0) }
      guard let before = Scatter(parts[0], mean: means[0]),
        let after = Scatter(parts[1], mean: means[1]), let since = batches[split].start,
        means[0] > 0
      else { continue }
      let share = means[1] / means[0] - 1
      let within = (before.halfWidth + after.halfWidth) / means[0].value
      guard share.magnitude > max(0.05, 2 * within) else { continue }
      if share.magnitude > largest?.share.magnitude ?? 0 { largest = (since, share) }
    }
    return largest
  }
}

/// Consecutive segments.
struct Batch {
  private(set) var start: UTCInstant?
  private(set) var duration: Seconds = 0
  private(set) var charge: Coulombs = 0

  var current: Amperes { Amperes(charge.value / duration.value) }

  mutating func add(_ segment: MeasuredSegment) {
    start = start ?? segment.start
    duration += segment.duration
    charge += segment.charge
  }

  static func mean(of batches: [Batch]) -> Amperes {
    let charge = batches.reduce(0.0) { $0 + $1.charge.value }
    return Amperes(charge / batches.reduce(0.0) { $0 + $1.duration.value })
  }
}

/// The uncertainty of the mean of batches due to their scatter.
struct Scatter {
  /// Half the width of the 95 % interval, in amperes.
  let halfWidth: Double

  /// Nil when there are too few batches, or one has nearly all the time. Each batch may have its
  /// own variance (White, Econometrica 48 (1980) 817, with the correction HC2 of MacKinnon and
  /// White, 1985), and the degrees of freedom are those of the effective number (Kish, 1965).
  init?(_ batches: [Batch], mean: Amperes) {
    let total = batches.reduce(0.0) { $0 + $1.duration.value }
    let weights = batches.map { $0.duration.value / total }
    let effective = 1 / weights.reduce(0.0) { $0 + $1 * $1 }
    guard batches.count >= CurrentFit.fewestSegments, effective >= 3 else { return nil }
    let variance = zip(batches, weights).reduce(0.0) { sum, batch in
      let error = batch.0.current.value - mean.value
      return sum + batch.1 * batch.1 * error * error / (1 - batch.1)
    }
    halfWidth = variance.squareRoot() * StudentT.quantile975(degreesOfFreedom: effective - 1)
  }
}
