import Core

/// A condition with the recordings of all its runs.
public struct TestedCondition: Sendable {
  public let name: String
  /// The monitor, if several were read at the same time; nil: there was one.
  let channel: String?
  public let runs: [RecordedRun]

  public init(name: String, channel: String? = nil, runs: [RecordedRun]) {
    self.name = name
    self.channel = channel
    self.runs = runs
  }

  /// One line, safe for printing.
  var title: String {
    TerminalText.line(channel.map { "\(name), \($0)" } ?? name)
  }

  /// Means, in amperes, of the runs that have a measured time.
  public var currents: RunStatistics { RunStatistics(currentOfEachRun) }
  /// In watts.
  var powers: RunStatistics { RunStatistics(runs.compactMap { $0.meanPower?.value }) }

  /// Not a number where no time was measured.
  var currentOfEachRun: [Double] { runs.map { $0.meanCurrent?.value ?? .nan } }

  var measured: Seconds { runs.reduce(.zero) { $0 + $1.drawn.duration } }
  var charge: Coulombs { runs.reduce(.zero) { $0 + $1.drawn.charge } }
  var energy: Joules { runs.reduce(.zero) { $0 + $1.drawn.energy } }

  /// The uncertainty of the mean current: the same error in every run, so it does not decrease with
  /// their number. Nil if one of the recordings does not state it.
  var systematicCurrent: Amperes? {
    let measured = runs.reduce(Seconds.zero) { $0 + $1.statistics.measured }
    guard measured > 0,
      runs.allSatisfy({ $0.statistics.measured == 0 || $0.systematicCurrent != nil })
    else { return nil }
    return runs.reduce(.zero) { $0 + $1.statistics.systematicCharge } / measured
  }

  var peakCurrent: Amperes? { runs.compactMap { $0.statistics.current.maximum }.max() }

  /// Whether the current is only known to be small.
  var isBelowFloor: Bool { runs.allSatisfy(\.isBelowFloor) }
}
