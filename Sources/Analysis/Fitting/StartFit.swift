import Core

/// The start-up time of one kind of start, from those under open sky.
struct StartFit {
  static let fewestStarts = 5
  /// Multiples of the median: a longer time is no scatter. Satellites had risen without known
  /// ephemeris, or reception was worse than it seemed.
  static let slowest = 2.5
  private static let long = "two and a half times the median"
  /// The minimum number for a mean of slow starts.
  static let fewestSlow = 3
  /// The minimum mean number of epochs for a result: a faster receiver always has its fix in the
  /// first epoch.
  static let fewestEpochs = 1.05

  let knowledge: StartKnowledge
  /// Their times to the first fix.
  let times: [Seconds]
  let calibration: StartCalibration
  let usable: [Seconds]
  /// Slow starts, which a single number for all would hide: a few of them may take most of the
  /// energy.
  let slow: [Seconds]
  /// The durations of searches that were abandoned although they were as slow.
  private let cutOff: [Seconds]

  /// - Parameter unfinished: the durations of searches of this kind without a fix under open sky.
  init(
    knowledge: StartKnowledge, times: [Seconds], unfinished: [Seconds] = [],
    calibration: StartCalibration
  ) {
    self.knowledge = knowledge
    self.times = times
    self.calibration = calibration
    let longest = (Quantiles(times).value(0.5) ?? 0) * Self.slowest
    usable = times.filter { $0 <= longest }
    slow = times.filter { $0 > longest }
    cutOff = unfinished.filter { $0 > longest }
  }

  func finding(missing: String) -> Finding<Seconds> {
    tooFew(missing: missing) ?? finding(of: usable)
  }

  private func tooFew<Value>(missing: String) -> Finding<Value>? {
    guard times.count < Self.fewestStarts else { return nil }
    return .undetermined(
      because: times.isEmpty
        ? missing
        : "\(Counted.text(times.count, "\(knowledge.rawValue) start")) under open sky, but "
          + "\(Self.fewestStarts) are needed")
  }

  private func finding(of times: [Seconds]) -> Finding<Seconds> {
    let epochs = times.map { calibration.epochs(in: $0) }
    let count = Double(epochs.count)
    let mean: Double = epochs.reduce(0, +) / count
    guard mean > Self.fewestEpochs else {
      return .atMost(
        calibration.start(taking: Self.fewestEpochs),
        because: "the fix comes with the receiver's first epoch")
    }
    let variance = epochs.reduce(0.0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let half = StudentT.quantile975(degreesOfFreedom: count - 1) * (variance / count).squareRoot()
    let value = calibration.start(taking: mean)
    let low = calibration.start(taking: max(1, mean - half))
    let high = calibration.start(taking: mean + half)
    return .determined(
      Estimate(
        value: value, low: low, high: high, scatter: (high - low) * 0.5, systematic: 0,
        count: epochs.count))
  }

  // MARK: The slow starts

  func slowTime(missing: String) -> Finding<Seconds> {
    tooFew(missing: missing) ?? tooFewSlow() ?? undeterminedIfCutOff ?? finding(of: slow)
  }

  /// As a share of all starts.
  func slowPercent(missing: String) -> Finding<SettingNumber> {
    if let untold: Finding<SettingNumber> = tooFew(missing: missing) { return untold }
    let share = Proportion(slowCount, of: startCount)
    func percent(_ share: Double) -> SettingNumber { SettingNumber(100 * share) }
    guard share.count > 0 else {
      return .atMost(
        percent(share.high),
        because: "none of \(times.count) \(knowledge.rawValue) starts took \(Self.long)")
    }
    return tooFewSlow()
      ?? .determined(
        Estimate(
          value: percent(share.share), low: percent(share.low), high: percent(share.high),
          scatter: percent((share.high - share.low) / 2), systematic: 0, count: startCount))
  }

  private var slowCount: Int { slow.count + cutOff.count }
  private var startCount: Int { times.count + cutOff.count }

  /// No result if starts were cut off: the mean of the completed ones is less than that of all.
  private var undeterminedIfCutOff: Finding<Seconds>? {
    guard let shortest = cutOff.min() else { return nil }
    return .undetermined(
      because: "\(cutOff.count) of \(slowCount) slow \(knowledge.rawValue) starts were aborted, "
        + "the soonest after \(Int(shortest.value)) s; acquisition.min_timeout_s = 180 waits "
        + "longer")
  }

  private func tooFewSlow<Value>() -> Finding<Value>? {
    guard slowCount < Self.fewestSlow else { return nil }
    return .undetermined(
      because: "\(slowCount) of \(startCount) \(knowledge.rawValue) starts took "
        + "\(Self.long), but \(Self.fewestSlow) are needed")
  }
}

/// Quantiles of a few numbers: order statistics.
public struct Quantiles: Sendable {
  private let sorted: [Seconds]

  init(_ values: [Seconds]) { sorted = values.sorted() }

  public var count: Int { sorted.count }
  /// Nil without values.
  public var mean: Seconds? {
    sorted.isEmpty ? nil : sorted.reduce(0, +) / Double(sorted.count)
  }

  /// The smallest value that at least this share (0...1) of all does not exceed; nil without
  /// values.
  public func value(_ share: Double) -> Seconds? {
    Ranks.percentile(share, sorted)
  }
}
