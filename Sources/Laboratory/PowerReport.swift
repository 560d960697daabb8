import Notation
import Quantities
import Statistics

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
  /// What speaks against all of it, besides its recordings.
  private let otherDoubts: [String]
  public let differences: [Difference]

  /// - Parameters:
  ///   - doubts: what speaks against all of it, besides its recordings.
  ///   - random: what the intervals' resamples are drawn with.
  public init(
    _ conditions: [TestedCondition], options: Options, doubts: [String] = [],
    using random: inout some RandomNumberGenerator
  ) {
    self.options = options
    otherDoubts = doubts
    var lines: [Line] = []
    for condition in conditions {
      let currents = condition.currents
      lines.append(
        Line(
          condition: condition, interval: currents.interval(using: &random),
          runsNeeded: currents.runsNeeded(forHalfWidth: options.wantedHalfWidth),
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
          interval: currents.interval(using: &random)))
    }
    self.differences = differences
  }

  /// Everything that speaks against the figures; empty: nothing that the recordings tell.
  public var doubts: [String] {
    var doubts = otherDoubts
    for line in lines {
      for run in line.condition.runs {
        for doubt in run.doubts { doubts.append("\(run.file): \(doubt)") }
      }
    }
    let channels = Dictionary(grouping: lines.map(\.condition), by: \.channel)
    for (_, conditions) in channels.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      doubts += Self.doubts(ofTogether: conditions.flatMap(\.runs).map(\.details))
    }
    return doubts
  }

  /// Runs that are compared have to be of the same board, monitor and settings.
  private static func doubts(ofTogether runs: [RecordingDetails]) -> [String] {
    var doubts: [String] = []
    let instruments = Set(runs.compactMap(\.instrument))
    if instruments.count > 1 {
      doubts.append(
        "they were measured by different monitors, whose errors differ: "
          + instruments.sorted().joined(separator: "; "))
    }
    let hosts = Set(runs.compactMap(\.host))
    if hosts.count > 1 {
      doubts.append("they are of different boards (\(hosts.sorted().joined(separator: ", ")))")
    }
    let settings = Set(runs.compactMap(\.settings))
    if settings.count > 1 {
      doubts.append("the settings were changed between them, or other board files were used")
    }
    return doubts
  }

  /// What has to be known to read the figures, said once.
  public static let notes = [
    "± is the systematic standard uncertainty (k = 1) of shunt, gain, offset and steps.",
    "It is the same in every run: more runs do not make it smaller, and it is mostly gone from a",
    "difference between runs of one monitor. Intervals are of the scatter between runs alone.",
  ]
}
