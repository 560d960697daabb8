import Core

/// Statistics of a series of readings: mean, spread, charge, energy and jitter. Memory grows only
/// with the logarithm of their number.
///
/// Charge and energy are trapezoids over the readings' own times. A gap of more than two periods is
/// missing time, and is not interpolated.
public struct PowerStatistics: Sendable {
  /// The intended time between two readings.
  public let period: Seconds
  public private(set) var readings = 0
  /// Readings that were not new: requests came faster than the chip's conversions.
  public private(set) var duplicates = 0
  public private(set) var failures = 0
  public private(set) var belowFloor = 0
  public private(set) var gaps = 0
  /// The total length of the gaps.
  public private(set) var missing: Seconds = 0
  /// The integrated time.
  public private(set) var measured: Seconds = 0
  public private(set) var charge: Coulombs = 0
  public private(set) var energy: Joules = 0
  /// The same error in every reading: unlike the statistical part, it does not average out.
  public private(set) var systematicCharge: Coulombs = 0
  public private(set) var systematicEnergy: Joules = 0
  public private(set) var current = Spread<Amperes>()
  public private(set) var voltage = Spread<Volts>()
  public private(set) var power = Spread<Watts>()
  /// Deviations of the time between two readings from the period.
  public private(set) var jitter = DurationHistogram()
  private var first: PowerReading?
  private var last: PowerReading?
  /// When the last value was read, new or not.
  private var lastRead: BootInstant?
  /// The last energy count, used to detect a counter reset.
  private var counted: Joules?
  private var countersWereReset = false

  public init(period: Seconds) { self.period = period }

  public mutating func fail(_ count: Int = 1) { failures += count }

  public mutating func add(_ reading: PowerReading) {
    guard reading.current.isFinite, reading.voltage.isFinite else { return fail() }
    defer { lastRead = max(lastRead ?? reading.taken, reading.taken) }
    guard reading.isNew, last.map({ reading.taken > $0.taken }) ?? true else {
      duplicates += 1
      return
    }
    readings += 1
    if reading.isBelowFloor { belowFloor += 1 }
    current.add(reading.current)
    voltage.add(reading.voltage)
    power.add(reading.power)
    if let last { integrate(last, reading) }
    if let energy = reading.accumulatedEnergy {
      if let counted, energy < counted { countersWereReset = true }
      counted = energy
    }
    if first == nil { first = reading }
    last = reading
  }

  private mutating func integrate(_ a: PowerReading, _ b: PowerReading) {
    let time = b.taken - a.taken
    // A repeated value is not a missing one.
    let from = lastRead.map { $0 < b.taken ? max($0, a.taken) : a.taken } ?? a.taken
    let pause = b.taken - from
    jitter.add((pause - period).magnitude)
    guard pause <= period * 2 else {
      gaps += 1
      missing += time
      return
    }
    measured += time
    charge += (a.current + b.current) * 0.5 * time
    energy += (a.power + b.power) * 0.5 * time
    systematicCharge += (a.currentUncertainty + b.currentUncertainty) * 0.5 * time
    let watts =
      a.currentUncertainty * a.voltage.magnitude + b.currentUncertainty * b.voltage.magnitude
    systematicEnergy += watts * 0.5 * time
  }

  /// Whether the net charge is negative beyond the errors (3 standard deviations): the monitor is
  /// wired the wrong way round, or something was charged.
  public var isReversed: Bool {
    guard belowFloor * 2 <= readings, charge < systematicCharge * -3 else { return false }
    // For a slowly changing load the scatter is a poor measure, but every reading was negative.
    if let maximum = current.maximum, maximum < 0 { return true }
    return statisticalCharge.map { charge < $0 * -3 } ?? false
  }

  /// The chip's own count from the first reading to the last; nil if it does not count, or was
  /// reset.
  public var accumulatedEnergy: Joules? {
    guard !countersWereReset, let from = first?.accumulatedEnergy,
      let to = last?.accumulatedEnergy
    else { return nil }
    return to - from
  }

  public var accumulatedCharge: Coulombs? {
    guard !countersWereReset, let from = first?.accumulatedCharge,
      let to = last?.accumulatedCharge
    else { return nil }
    return to - from
  }

  /// Standard uncertainty from the scatter of the readings alone: the deviation that other
  /// recordings of the same load would show.
  public var statisticalCharge: Coulombs? { current.uncertaintyOfMean.map { $0 * measured } }
  public var statisticalEnergy: Joules? { power.uncertaintyOfMean.map { $0 * measured } }

  /// The half-width of the 95 % interval, from the scatter and the systematic part (k = 2)
  /// together.
  public var expandedCharge: Coulombs? {
    current.margin95OfMean.map { Self.expanded($0 * measured, systematicCharge) }
  }
  public var expandedEnergy: Joules? {
    power.margin95OfMean.map { Self.expanded($0 * measured, systematicEnergy) }
  }

  private static func expanded<Value: Quantity>(_ margin: Value, _ systematic: Value) -> Value {
    Value((margin.value * margin.value + 4 * systematic.value * systematic.value).squareRoot())
  }
}

/// Mean, spread and extremes of a series.
public struct Spread<Value: Quantity>: Sendable {
  public private(set) var minimum: Value?
  public private(set) var maximum: Value?
  private var series = CorrelatedSeries()

  public init() {}

  public mutating func add(_ value: Value) {
    series.add(value.value)
    minimum = minimum.map { min($0, value) } ?? value
    maximum = maximum.map { max($0, value) } ?? value
  }

  public var count: Int { series.count }
  public var mean: Value? { series.mean.map { Value($0) } }
  public var standardDeviation: Value? { series.standardDeviation.map { Value($0) } }

  public var peakToPeak: Value? {
    guard let minimum, let maximum else { return nil }
    return maximum - minimum
  }

  /// Standard uncertainty from the scatter; autocorrelated readings count as fewer.
  public var uncertaintyOfMean: Value? { series.uncertaintyOfMean.map { Value($0.standard) } }
  /// The half-width of the 95 % interval.
  var margin95OfMean: Value? { series.uncertaintyOfMean.map { Value($0.margin95) } }
  /// The number of independent readings with the same uncertainty of the mean.
  public var effectiveCount: Double? { series.uncertaintyOfMean?.effectiveCount }
}

/// Durations counted in bins of 10 %, from a microsecond to two weeks: quantiles of any number of
/// them in fixed memory.
public struct DurationHistogram: Sendable {
  private static let minBound = 1e-6
  private static let ratio = 1.1
  private static let bounds: [Double] = {
    var bounds = [minBound]
    while bounds[bounds.count - 1] < 1.2e6 { bounds.append(bounds[bounds.count - 1] * ratio) }
    return bounds
  }()

  private var counts = [Int](repeating: 0, count: bounds.count + 1)
  public private(set) var count = 0
  public private(set) var maximum: Seconds?

  public init() {}

  public mutating func add(_ duration: Seconds) {
    guard duration.isFinite else { return }
    counts[Self.bounds.partitionPoint { $0 >= duration.value }] += 1
    count += 1
    maximum = max(maximum ?? duration, duration)
  }

  /// The duration that the share (0...1) of all does not exceed, up to 10 % too large.
  public func quantile(_ share: Double) -> Seconds? {
    guard count > 0, let maximum else { return nil }
    let rank = max(1, Int((share * Double(count)).rounded(.up)))
    var seen = 0
    for (index, number) in counts.enumerated() {
      seen += number
      if seen >= rank {
        return index < Self.bounds.count ? min(Seconds(Self.bounds[index]), maximum) : maximum
      }
    }
    return maximum
  }
}
