import Quantities
import Statistics

/// What was tried, with the recordings of all its runs.
public struct TestedCondition: Sendable {
  public let name: String
  public let runs: [RecordedRun]

  public init(name: String, runs: [RecordedRun]) {
    self.name = name
    self.runs = runs
  }

  /// Means, in amperes, of the runs that have a measured time.
  public var currents: RunFigures { RunFigures(currentOfEachRun) }
  /// In watts.
  public var powers: RunFigures { RunFigures(runs.compactMap { $0.meanPower?.value }) }

  /// Not a number where no time was measured.
  var currentOfEachRun: [Double] { runs.map { $0.meanCurrent?.value ?? .nan } }

  public var measured: Seconds { runs.reduce(.zero) { $0 + $1.statistics.measured } }
  public var charge: Coulombs { runs.reduce(.zero) { $0 + $1.statistics.charge } }
  public var energy: Joules { runs.reduce(.zero) { $0 + $1.statistics.energy } }

  /// Of the mean current: the same error in every run, so it does not shrink with their number.
  public var systematicCurrent: Amperes? {
    guard measured > 0 else { return nil }
    return runs.reduce(.zero) { $0 + $1.statistics.systematicCharge } / measured
  }

  public var peakCurrent: Amperes? { runs.compactMap { $0.statistics.current.maximum }.max() }

  /// Whether no more is known than that the current is small.
  public var isBelowFloor: Bool { runs.allSatisfy(\.isBelowFloor) }
}
