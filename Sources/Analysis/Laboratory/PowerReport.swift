import Core

/// What recordings of several conditions say: each condition's figures, how much the later ones
/// differ from the first, and what speaks against believing it.
public struct PowerReport: Sendable {
  public struct Options: Sendable {
    /// How narrow an interval ought to be: half its width as a share of the mean.
    public var wantedHalfWidth: Double
    /// Whether the runs of each number belong together.
    public var isPaired: Bool

    public init(wantedHalfWidth: Double = 0.05, isPaired: Bool = false) {
      self.wantedHalfWidth = wantedHalfWidth
      self.isPaired = isPaired
    }
  }

  /// One condition with what its runs tell together.
  public struct Line: Sendable {
    public let condition: TestedCondition
    /// Of the mean current, in amperes; nil with a single run.
    public let interval: ConfidenceInterval?
    /// Half of the interval (k = 2) of scatter and systematic part together, in amperes.
    public var expanded: Double? {
      guard let interval, let systematic = condition.systematicCurrent else { return nil }
      let half = interval.halfWidth
      return (half * half + 4 * systematic.value * systematic.value).squareRoot()
    }
    /// In all, for an interval as narrow as wanted; nil where it cannot be told.
    public let runsNeeded: Int?
    /// What the receiver drew in each of its states; empty where nobody told of them.
    public let states: [(figures: StateFigures, interval: ConfidenceInterval?)]
  }

  /// One of the later conditions beside the first.
  public struct Difference: Sendable {
    public let name: String
    public let baseline: String
    let currents: RunComparison
    /// Nil where they are not paired, or in no order that can be told.
    let order: FixedOrder?
    /// Of the difference, in amperes.
    public let interval: ConfidenceInterval?

    /// This less the baseline, in amperes.
    public var mean: Double? { currents.difference }

    /// Of the baseline's mean: 0.1 is 10 % more.
    public var share: Double? {
      guard let mean, let baseline = currents.a.mean, baseline != 0 else { return nil }
      return mean / baseline.magnitude
    }

    public var effectSize: Double? { currents.effectSize }
    public var isPaired: Bool { currents.isPaired }
  }

  public let options: Options
  public let lines: [Line]
  /// Nil: they are of no test.
  let test: ReportedTest?
  public let differences: [Difference]

  /// - Parameters:
  ///   - test: that the recordings are of.
  ///   - random: what the intervals' resamples are drawn with.
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
      // What different monitors tell is not compared.
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

  /// Everything that speaks against the figures; empty: nothing that the recordings tell.
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
        of: "\(difference.name) less \(difference.baseline)", mean: difference.mean)
    }
    let channels = Dictionary(grouping: lines.map(\.condition), by: \.channel)
    for (_, conditions) in channels.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      doubts += RecordingDetails.doubts(ofTogether: conditions.flatMap(\.runs).map(\.details))
    }
    return doubts
  }

  /// What has to be known to read the figures, said once.
  public static let notes = [
    "± is the systematic standard uncertainty (k = 1) of shunt, gain, offset and steps.",
    "It is the same in every run: more runs do not make it smaller, and it is mostly gone from a",
    "difference between runs of one monitor. Intervals are of the scatter between runs alone;",
    "± in all has both (k = 2).",
  ]
}
