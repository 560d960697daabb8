import Records
import Foundation
import Core
import Testing

@Suite struct PowerStatisticsTests {
  func reading(
    _ second: Double, _ milliamperes: Double, isNew: Bool = true, energy: Joules? = nil
  ) -> PowerReading {
    PowerReading(
      taken: .zero + Seconds(second), current: Amperes(milliamperes / 1000), voltage: 3,
      currentUncertainty: 0.0002, isNew: isNew, accumulatedEnergy: energy)
  }

  /// 10, 20, 30, 20 mA a second apart: mean 20, SD √(200 / 3) = 8.165, charge 15 + 25 + 25 = 65 mC,
  /// energy 195 mJ; 0.2 mA × 3 s = 0.6 mC and 1.8 mJ of systematic uncertainty.
  @Test("mean, charge and energy are computed") func meanChargeAndEnergy() throws {
    var statistics = PowerStatistics(period: 1)
    for (second, current) in [10.0, 20, 30, 20].enumerated() {
      statistics.add(reading(Double(second), current))
    }
    #expect(abs(try #require(statistics.current.mean).value - 0.02) < 1e-12)
    #expect(abs(try #require(statistics.current.standardDeviation).value - 0.008165) < 1e-6)
    #expect(statistics.current.minimum == 0.01 && statistics.current.maximum == 0.03)
    #expect(abs(try #require(statistics.current.peakToPeak).value - 0.02) < 1e-12)
    #expect(abs(statistics.charge.value - 0.065) < 1e-12)
    #expect(abs(statistics.energy.value - 0.195) < 1e-12)
    #expect(abs(statistics.systematicCharge.value - 0.0006) < 1e-12)
    #expect(abs(statistics.systematicEnergy.value - 0.0018) < 1e-12)
    // s² = 200 / 3, a correlation of 1 - 300 / 400 = 0.25 and so 4 × 0.75 / 1.25 = 2.4 readings:
    // 5.2705 mA, over 3 s.
    #expect(abs(try #require(statistics.statisticalCharge).value - 0.0158114) < 1e-6)
    #expect(statistics.measured == 3 && statistics.gaps == 0)
    #expect(statistics.accumulatedEnergy == nil)
  }

  /// The chip lost its supply in between; its charge counter restarted, too.
  @Test("a counter that restarted counts nothing") func countersThatBeganAnewCountNothing() {
    var statistics = PowerStatistics(period: 1)
    for (second, energy) in [Joules(5), 6, 0, 9].enumerated() {
      var reading = reading(Double(second), 20, energy: energy)
      reading.accumulatedCharge = Coulombs(energy.value / 3)
      statistics.add(reading)
      if second == 1 { #expect(statistics.accumulatedEnergy == 1) }
      if second == 1 { #expect(statistics.accumulatedCharge != nil) }
    }
    #expect(statistics.accumulatedEnergy == nil && statistics.accumulatedCharge == nil)
  }

  @Test("an hour of NaN readings is missing") func noNumbers() {
    var statistics = PowerStatistics(period: 1)
    for second in 0...3 { statistics.add(reading(Double(second), 20)) }
    for second in 4..<3604 { statistics.add(reading(Double(second), .nan)) }
    for second in 3604...3606 { statistics.add(reading(Double(second), 20)) }
    #expect(statistics.failures == 3600 && statistics.gaps == 1)
    #expect(statistics.missing == 3601 && statistics.measured == 5)
  }

  @Test("reversed current is distinguished from noise around zero") func reversed() {
    func statistics(_ mean: Double, _ noise: Double, uncertainty: Amperes = 0) -> PowerStatistics {
      var statistics = PowerStatistics(period: 1)
      for second in 0..<600 {
        let current = mean + noise * sin(Double(second * second))
        var reading = reading(Double(second), current)
        reading.currentUncertainty = uncertainty
        statistics.add(reading)
      }
      return statistics
    }
    #expect(statistics(-40, 1).isReversed && statistics(-5, 20).isReversed)
    #expect(statistics(-31, 0, uncertainty: 0.0002).isReversed)
    // The current drifts over the whole measurement: the scatter says nothing about the mean.
    var slow = PowerStatistics(period: 1)
    for second in 0..<60 { slow.add(reading(Double(second), -20 - Double(second))) }
    #expect(slow.isReversed)
    #expect(!statistics(-0.0001, 0.01).isReversed && !statistics(0, 0.01).isReversed)
    #expect(!statistics(-0.3, 0.01, uncertainty: 0.0002).isReversed)
    #expect(!statistics(40, 1).isReversed && !PowerStatistics(period: 1).isReversed)
  }

  /// A gauge that converts once a second but is read five times a second.
  @Test("a repeated value is no gap") func readAgain() {
    var statistics = PowerStatistics(period: 0.2)
    for step in 0...15 {
      statistics.add(reading(Double(step) / 5, 20, isNew: step % 5 == 0))
    }
    #expect(statistics.readings == 4 && statistics.duplicates == 12 && statistics.gaps == 0)
    #expect(abs(statistics.measured.value - 3) < 1e-9 && abs(statistics.charge.value - 0.06) < 1e-9)
    statistics.add(reading(9, 20))
    #expect(statistics.gaps == 1 && abs(statistics.missing.value - 6) < 1e-9)
  }

  @Test("gaps are missing time, and duplicates are counted") func gapsAreMissingAndDuplicatesCount()
  {
    var statistics = PowerStatistics(period: 1)
    statistics.add(reading(0, 20, energy: 5))
    statistics.add(reading(1, 20))
    statistics.add(reading(1, 20, isNew: false))
    statistics.add(reading(1, 20))
    statistics.add(reading(9, 20))
    statistics.add(reading(11, 20, energy: 6))
    statistics.fail()
    #expect(statistics.readings == 4 && statistics.duplicates == 2 && statistics.failures == 1)
    #expect(statistics.gaps == 1 && statistics.missing == 8 && statistics.measured == 3)
    #expect(abs(statistics.charge.value - 0.06) < 1e-12)
    #expect(statistics.accumulatedEnergy == 1)
    #expect(statistics.jitter.maximum == 7)
  }

  @Test("an empty series and a single reading have no statistics") func emptyAndSingle() {
    var statistics = PowerStatistics(period: 1)
    #expect(statistics.current.mean == nil && statistics.jitter.quantile(0.5) == nil)
    statistics.add(reading(0, 20))
    #expect(statistics.current.mean == 0.02 && statistics.current.standardDeviation == nil)
    #expect(statistics.statisticalEnergy == nil && statistics.measured == 0)
  }

  @Test("quantiles are off by a tenth at most") func quantilesAreATenthOffAtMost() throws {
    var histogram = DurationHistogram()
    for microseconds in 1...10_000 { histogram.add(Seconds(Double(microseconds) * 1e-6)) }
    for share in [0.5, 0.95, 0.99] {
      let exact = share * 0.01
      let quantile = try #require(histogram.quantile(share)).value
      #expect(quantile >= exact - 1e-9 && quantile <= exact * 1.1)
    }
    #expect(histogram.maximum == 0.01 && histogram.quantile(1) == 0.01)
    histogram.add(Seconds(.nan))
    histogram.add(1e9)
    #expect(histogram.count == 10_001 && histogram.maximum == 1e9)
  }
}
