import Core
import Testing
import VirtualDevice

/// Recordings of loads with a known mean: the actual and the estimated errors of their means.
@Suite struct CorrelatedSeriesTests {
  enum Load: String, CaseIterable, Sendable {
    /// Each reading is independent.
    case white
    /// Changes within a second, during which it is read twenty times.
    case slow
    /// The same with an equal amount of monitor noise.
    case behindNoise

    var readings: Int { self == .white ? 200 : 1200 }

    func recording(_ random: inout SeededRandom) -> CorrelatedSeries {
      let kept = self == .white ? 0 : 0.951  // e^-1/20
      let renewed = (1 - kept * kept).squareRoot()
      var state = random.gaussian()
      var series = CorrelatedSeries()
      for _ in 0..<readings {
        state = kept * state + renewed * random.gaussian()
        series.add(10 + state + (self == .behindNoise ? random.gaussian() : 0))
      }
      return series
    }
  }

  /// Of 200 recordings, their scatter itself is known to 5 %, and 182 to 198 of the 95 % intervals
  /// contain the true value (99.7 %).
  @Test(
    "the estimated uncertainty of a mean matches the scatter of such means",
    arguments: Load.allCases)
  func uncertainty(load: Load) throws {
    var random = SeededRandom(seed: 11)
    var (squares, claimed, held) = (0.0, 0.0, 0)
    let trials = 200
    for _ in 0..<trials {
      let series = load.recording(&random)
      let error = try #require(series.mean) - 10
      let said = try #require(series.uncertaintyOfMean)
      squares += error * error
      claimed += said.standard * said.standard
      if error.magnitude <= said.margin95 { held += 1 }
    }
    let ratio = (claimed / squares).squareRoot()
    #expect((0.88...1.2).contains(ratio), "said to be \(ratio) times as far off as they are")
    #expect((182...198).contains(held), "\(held) of \(trials) intervals hold the mean")
  }

  @Test("readings that repeat each other count once") func effectiveCount() throws {
    var random = SeededRandom(seed: 3)
    var (apart, repeated) = (CorrelatedSeries(), CorrelatedSeries())
    for _ in 0..<1000 {
      let value = random.gaussian()
      apart.add(value)
      for _ in 0..<8 { repeated.add(value) }
    }
    #expect(repeated.count == 8000)
    #expect((700...1000).contains(try #require(apart.uncertaintyOfMean).effectiveCount))
    #expect((700...1300).contains(try #require(repeated.uncertaintyOfMean).effectiveCount))
  }

  @Test("constant, short and hostile series give a result") func edges() throws {
    var series = CorrelatedSeries()
    #expect(series.mean == nil && series.uncertaintyOfMean == nil)
    series.add(3)
    #expect(series.mean == 3 && series.standardDeviation == nil && series.uncertaintyOfMean == nil)
    for _ in 0..<100 { series.add(3) }
    let constant = try #require(series.uncertaintyOfMean)
    #expect(constant.standard == 0 && constant.margin95 == 0)
    var drifting = CorrelatedSeries()
    for index in 0..<10_000 { drifting.add(Double(index)) }
    let drift = try #require(drifting.uncertaintyOfMean)
    // Such a series says almost nothing about its mean.
    #expect(drift.effectiveCount < 8 && drift.standard > 500)
    series.add(.infinity)
    series.add(-1e308)
    _ = series.uncertaintyOfMean
  }
}
