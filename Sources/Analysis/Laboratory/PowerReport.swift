import Core

/// The results of recordings of several conditions: each condition's figures, the differences of
/// the later ones from the first, and doubts about them.
public struct PowerReport: Sendable {
  public struct Options: Sendable {
    /// The wanted precision: half an interval's width as a share of the mean.
    var wantedHalfWidth: Double
    /// Whether runs with the same number form pairs.
    var isPaired: Bool

    public init(wantedHalfWidth: Double = 0.05, isPaired: Bool = false) {
      self.wantedHalfWidth = wantedHalfWidth
      self.isPaired = isPaired
    }
  }

  /// One condition with the combined results of its runs.
  public struct Line: Sendable {
    public let condition: TestedCondition
    /// The interval of the mean current, in amperes; nil with a single run.
    public let interval: ConfidenceInterval?
    /// Half of the interval (k = 2) of scatter and systematic part together, in amperes.
    public var expanded: Double? {
      guard let interval, let systematic = condition.systematicCurrent else { return nil }
      let half = interval.halfWidth
      return (half * half + 4 * systematic.value * systematic.value).squareRoot()
    }
    /// The total number of runs for the wanted precision; nil: unknown.
    public let runsNeeded: Int?
    /// The draw of the receiver in each of its states; empty without events of a daemon.
    public let states: [(figures: StateFigures, interval: ConfidenceInterval?)]
  }

  /// A later condition compared with the first.
  public struct Difference: Sendable {
    let name: String
    let baseline: String
    let currents: RunComparison
    /// Nil where they are not paired, or not in a known order.
    let order: FixedOrder?
    /// The interval of the difference, in amperes.
    public let interval: ConfidenceInterval?

    /// This less the baseline, in amperes.
    public var mean: Double? { currents.difference }

    /// Relative to the baseline's mean: 0.1 is 10 % more.
    public var share: Double? {
      guard let mean, let baseline = currents.a.mean, baseline != 0 else { return nil }
      return mean / baseline.magnitude
    }

    var effectSize: Double? { currents.effectSize }
    var isPaired: Bool { currents.isPaired }
  }

  let options: Options
  public let lines: [Line]
  /// Nil: they belong to no test.
  let test: ReportedTest?
  public let differences: [Difference]

  /// - Parameters:
  ///   - test: the test of the recordings.
  ///   - random: the generator for the resamples of the intervals.
  public init(
    _ conditions: [TestedCondition], options: Options, of test: ReportedTest? = nil,
    using random: inout some RandomNumberGenerator
  ) {
    self.options = options
    self.test = test
    var lines: [Line] = []
    for condition in conditions {
      let sequence = condition.sequence
      lines.append(
        Line(
          condition: condition, interval: sequence.interval(using: &random),
          runsNeeded: sequence.isCorrelated
            ? nil : sequence.figures.runsNeeded(forHalfWidth: options.wantedHalfWidth),
          states: condition.states.map { ($0, $0.currents.interval(using: &random)) }))
    }
    self.lines = lines
    var differences: [Difference] = []
    var firsts: [String?: TestedCondition] = [:]
    for other in conditions {
      // Results of different monitors are not compared.
      guard let first = firsts[other.channel] else {
        firsts[other.channel] = other
        continue
      }
      let pairs =
        options.isPaired
        ? RunComparison(pairs: first.currentOfEachRun, other.currentOfEachRun) : nil
      let currents = pairs ?? RunComparison(apart: first.currents, other.currents)
      differences.append(
        Difference(
          name: other.title, baseline: first.title, currents: currents,
          order: options.isPaired ? FixedOrder(first, other) : nil,
          interval: currents.interval(using: &random)))
    }
    self.differences = differences
  }

  /// All doubts about the figures; empty: the recordings give no reason for any.
  public var doubts: [String] {
    var doubts = test?.baselines.compactMap(\.doubt) ?? []
    for line in lines {
      for run in line.condition.runs {
        for doubt in run.doubts { doubts.append("\(run.file): \(doubt)") }
      }
      if let doubt = line.condition.doubtOfInterval { doubts.append(doubt) }
    }
    doubts += differences.compactMap { difference in
      difference.order?.doubt(
        of: "\(difference.name) minus \(difference.baseline)", mean: difference.mean)
    }
    let channels = Dictionary(grouping: lines.map(\.condition), by: \.channel)
    for (_, conditions) in channels.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      doubts += RecordingDetails.doubts(ofTogether: conditions.flatMap(\.runs).map(\.details))
    }
    return doubts
  }

  /// Explanations of the figures, stated once.
  static let notes = [
    "± is the systematic standard uncertainty (k = 1) of shunt, gain, offset and steps.",
    "It is the same in every run: more runs do not reduce it, and it mostly cancels out in a",
    "difference between runs of one monitor. Intervals are of the scatter between runs only;",
    "± total includes both (k = 2).",
  ]
}
