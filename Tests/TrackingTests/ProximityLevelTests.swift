import Core
import Testing
import Tracking

/// Landsmann's Program 4.2, lines 27 to 45.
@Suite struct ProximityLevelTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let distance: Metres
    let accuracy: Metres
    let current: ProximityLevel
    let published: ProximityLevel
    let corrected: ProximityLevel

    init(
      _ distance: Metres, within accuracy: Metres, at current: ProximityLevel,
      published: ProximityLevel, corrected: ProximityLevel
    ) {
      (self.distance, self.accuracy, self.current) = (distance, accuracy, current)
      (self.published, self.corrected) = (published, corrected)
    }

    var testDescription: String { "\(distance) within \(accuracy), \(current)" }
  }

  private static let examples: [Example] = [
    // Lines 28 to 33 alone: the accuracy is far below the distance.
    Example(3000, within: 5, at: .far, published: .far, corrected: .far),
    Example(2999, within: 5, at: .medium, published: .medium, corrected: .medium),
    Example(100, within: 5, at: .close, published: .medium, corrected: .medium),
    Example(99, within: 5, at: .close, published: .close, corrected: .close),
    // Lines 36 to 38: 1400 m is the accuracy of cells (Figure 3.9).
    Example(3000, within: 2990, at: .far, published: .far, corrected: .far),
    Example(3000, within: 2991, at: .far, published: .medium, corrected: .medium),
    Example(1409, within: 1400, at: .medium, published: .close, corrected: .close),
    Example(1410, within: 1400, at: .medium, published: .medium, corrected: .medium),
    Example(74, within: 65, at: .medium, published: .close, corrected: .close),
    Example(0, within: 5, at: .far, published: .close, corrected: .close),
    // Lines 42 to 45: his main flaw, as he found. 65 m is the accuracy of Wi-Fi (Figure 5.6).
    Example(2900, within: 1400, at: .far, published: .far, corrected: .medium),
    Example(99, within: 65, at: .medium, published: .medium, corrected: .close),
    Example(76, within: 65, at: .medium, published: .medium, corrected: .close),
    Example(75, within: 65, at: .medium, published: .close, corrected: .close),
    Example(99, within: 65, at: .close, published: .close, corrected: .close),
    Example(99, within: 5, at: .far, published: .medium, corrected: .close),
    // Distances over 3 km count as 3 km, the initial value of `smallestDistance`.
    Example(50_000, within: 20_000, at: .far, published: .medium, corrected: .medium),
    Example(50_000, within: 5, at: .close, published: .far, corrected: .far),
    // NaN carries no information.
    Example(Metres(.nan), within: 5, at: .close, published: .far, corrected: .far),
    Example(50, within: Metres(.nan), at: .far, published: .close, corrected: .close),
    Example(
      Metres(.infinity), within: Metres(.infinity), at: .far, published: .medium,
      corrected: .medium),
  ]

  @Test("both rules choose the same level as the program", arguments: examples)
  func levels(example: Example) {
    func level(_ rule: ProximityLevel.Rule) -> ProximityLevel {
      ProximityLevel.level(
        at: example.distance, accuracy: example.accuracy, current: example.current, by: rule)
    }
    #expect(level(.published) == example.published)
    #expect(level(.corrected) == example.corrected)
  }

  @Test("the published rule is never finer than the corrected one, which has no state")
  func order() {
    for distance in stride(from: 0.0, through: 4000, by: 7) {
      for accuracy in [1.0, 5, 65, 200, 1400, 5000] {
        let levels = ProximityLevel.allCases.map { current in
          ProximityLevel.Rule.allCases.map {
            ProximityLevel.level(
              at: Metres(distance), accuracy: Metres(accuracy), current: current, by: $0)
          }
        }
        #expect(levels.allSatisfy { $0[1] <= $0[0] }, "\(distance) m within \(accuracy) m")
        #expect(Set(levels.map { $0[0] }).count == 1, "\(distance) m within \(accuracy) m")
      }
    }
  }

  @Test("a location counts after a third of the way") func filter() {
    #expect(ProximityLevel.filter(at: 1000) == 330)
    #expect(ProximityLevel.filter(at: 0) == 0)
    #expect(ProximityLevel.filter(at: 80_000) == 990)
    #expect(ProximityLevel.filter(at: Metres(.nan)) == 990)
  }

  @Test("the allowed error of a location") func accuracies() {
    #expect(ProximityLevel.allCases.map(\.accuracy) == [3000, 100, nil])
  }
}
