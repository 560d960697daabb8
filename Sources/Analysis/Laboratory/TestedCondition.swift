import Core

/// What was tried, with the recordings of all its runs.
public struct TestedCondition: Sendable {
  public let name: String
  /// Which of several monitors that were read at the same time; nil: there was one.
  public let channel: String?
  public let runs: [RecordedRun]

  public init(name: String, channel: String? = nil, runs: [RecordedRun]) {
    self.name = name
    self.channel = channel
    self.runs = runs
  }

  /// One line, fit to be printed.
  var title: String {
    TerminalText.line(channel.map { "\(name), \($0)" } ?? name)
  }

  /// Means, in amperes, of the runs that have a measured time.
  public var currents: RunFigures { RunFigures(currentOfEachRun) }
  /// In watts.
  public var powers: RunFigures { RunFigures(runs.compactMap { $0.meanPower?.value }) }

  /// Not a number where no time was measured.
  var currentOfEachRun: [Double] { runs.map { $0.meanCurrent?.value ?? .nan } }

  public var measured: Seconds { runs.reduce(.zero) { $0 + $1.drawn.duration } }
  public var charge: Coulombs { runs.reduce(.zero) { $0 + $1.drawn.charge } }
  public var energy: Joules { runs.reduce(.zero) { $0 + $1.drawn.energy } }

  /// Of the mean current: the same error in every run, so it does not shrink with their number.
  /// Nil where one of the recordings does not say.
  public var systematicCurrent: Amperes? {
    let measured = runs.reduce(Seconds.zero) { $0 + $1.statistics.measured }
    guard measured > 0,
      runs.allSatisfy({ $0.statistics.measured == 0 || $0.systematicCurrent != nil })
    else { return nil }
    return runs.reduce(.zero) { $0 + $1.statistics.systematicCharge } / measured
  }

  public var peakCurrent: Amperes? { runs.compactMap { $0.statistics.current.maximum }.max() }

  /// Whether no more is known than that the current is small.
  public var isBelowFloor: Bool { runs.allSatisfy(\.isBelowFloor) }
}
