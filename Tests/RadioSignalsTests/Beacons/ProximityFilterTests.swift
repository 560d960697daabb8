import Core
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct ProximityFilterTests {
  private static func at(_ seconds: Double) -> BootInstant {
    BootInstant.zero + Seconds(seconds)
  }

  /// At a distance in free space, once a second.
  private static func proximity(
    at metres: [Double], noise: (Int) -> Double = { _ in 0 }
  ) -> [Proximity] {
    var filter = ProximityFilter()
    return metres.enumerated().map { index, distance in
      let level = -59 - 20 * log10(distance)
      filter.received(
        DecibelMilliwatts(level + noise(index)), strengthAtOneMetre: -59, at: at(Double(index)))
      filter.update(at: at(Double(index)))
      return filter.proximity
    }
  }

  private static func log10(_ value: Double) -> Double {
    // A table is enough for a test without a mathematics library.
    let known: [Double: Double] = [
      0.25: -0.60206, 0.4: -0.39794, 0.55: -0.259637, 0.7: -0.154902, 2: 0.30103, 3: 0.477121,
      4.4: 0.643453, 5: 0.69897, 10: 1,
    ]
    return known[value] ?? .nan
  }

  @Test("one advertisement gives no proximity, two do") func few() {
    #expect(Self.proximity(at: [0.25, 0.25]) == [.unknown, .immediate])
    #expect(Self.proximity(at: [2, 2, 2]).last == .near)
    #expect(Self.proximity(at: [10, 10]).last == .far)
  }

  @Test("at a boundary the proximity does not change") func edges() {
    #expect(Self.proximity(at: Array(repeating: 0.4, count: 6)).last == .immediate)
    let leaving = Self.proximity(
      at: Array(repeating: 0.4, count: 6) + Array(repeating: 0.55, count: 6))
    #expect(leaving.last == .immediate)
    let gone = Self.proximity(at: Array(repeating: 0.4, count: 6) + Array(repeating: 0.7, count: 6))
    #expect(gone.last == .near)
    let near = Self.proximity(at: Array(repeating: 3, count: 6) + Array(repeating: 4.4, count: 6))
    #expect(near.last == .near)
    #expect(Self.proximity(at: Array(repeating: 4.4, count: 6)).last == .far)
  }

  @Test("occasional reflections change nothing") func reflections() {
    let levels = Self.proximity(at: Array(repeating: 2, count: 60)) { $0 % 5 == 3 ? -25 : 0 }
    #expect(Set(levels.dropFirst(5)) == [.near])
  }

  @Test("a silent beacon has unknown proximity, and so has an impossible signal strength")
  func unknown() {
    var filter = ProximityFilter()
    for second in 0..<3 {
      filter.received(-50, strengthAtOneMetre: -59, at: Self.at(Double(second)))
    }
    filter.update(at: Self.at(3))
    #expect(filter.proximity == .immediate)
    filter.update(at: Self.at(9))
    #expect(filter.proximity == .unknown)
    for strength in [127, -129, Double.nan, .infinity] {
      filter.received(DecibelMilliwatts(strength), strengthAtOneMetre: -59, at: Self.at(10))
    }
    filter.update(at: Self.at(10))
    #expect(filter.median == nil)
  }

  @Test("the number of beacons is bounded, and the newest are kept") func flood() {
    var filter = ProximityFilter()
    for index in 0..<10_000 {
      filter.received(-40, strengthAtOneMetre: -59, at: Self.at(Double(index) / 100))
    }
    for index in 0..<16 {
      filter.received(-90, strengthAtOneMetre: -59, at: Self.at(100 + Double(index) / 100))
    }
    #expect(filter.median == -90)
  }
}
