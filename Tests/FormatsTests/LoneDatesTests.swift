import Formats
import Quantities
import Testing

/// Items are seconds.
@Suite struct LoneDatesTests {
  private static let day = 86_400.0
  private static let week = 7 * day

  /// What comes out, and what is refused.
  private func run(_ seconds: [Double]) -> (passed: [Double], refused: [Double]) {
    var dates = LoneDates<Double> { $0.isNaN ? nil : UTCInstant(seconds: 1_777_593_600 + $0) }
    var passed: [Double] = []
    var refused: [Double] = []
    for second in seconds {
      dates.take(second) {
        passed.append($0)
      } refuse: {
        refused.append($0)
      }
    }
    dates.finish {
      passed.append($0)
    } refuse: {
      refused.append($0)
    }
    return (passed, refused)
  }

  private static func steps(_ count: Int, of step: Double = 30, from start: Double = 0) -> [Double]
  {
    (0..<count).map { start + Double($0) * step }
  }

  @Test(
    "a date that its neighbours contradict is refused, wherever it stands",
    arguments: [
      -1024 * week, 1024 * week, 365 * day, -365 * day, day, -day, 3600, -3600, 600, -600,
    ])
  func aLoneDateIsRefused(deviation: Double) {
    for rows in [Self.steps(40), Self.steps(40).reversed()] {
      for index in 1..<39 {
        var seconds = rows
        seconds[index] += deviation
        guard seconds[index] < rows.min()! - 300 || seconds[index] > rows.max()! + 300 else {
          continue
        }
        let (passed, refused) = run(seconds)
        #expect(refused == [seconds[index]], "\(index)")
        #expect(passed == rows.enumerated().filter { $0.offset != index }.map(\.element))
      }
    }
  }

  @Test("some wrong dates after one another are refused, too", arguments: 1...4)
  func aShortRunIsRefused(length: Int) {
    var seconds = Self.steps(40)
    for index in 20..<20 + length { seconds[index] += Self.day }
    #expect(run(seconds).refused == Array(seconds[20..<20 + length]))
  }

  @Test("a first or last date far from all others is refused", arguments: [1, 2])
  func theEndsAreJudged(length: Int) {
    for deviation in [-20 * 365 * Self.day, 13 * 365 * Self.day] {
      let wrong = Self.steps(length).map { $0 + deviation }
      #expect(run(wrong + Self.steps(30)).refused == wrong)
      #expect(run(Self.steps(30) + wrong).refused == wrong)
    }
    #expect(run([3600] + Self.steps(30)).refused == [3600])
    #expect(run(Self.steps(30) + [-3600]).refused == [-3600])
  }

  @Test("dates that go on are left alone, in their order")
  func whatGoesOnIsLeftAlone() {
    let twoDays = Self.steps(30) + Self.steps(30, from: Self.day)
    let newestFirst = Self.steps(30, from: Self.day) + Self.steps(30)
    let heartbeat = Self.steps(20, of: 3600)
    let lateRow = [0, 30, 90, 60, 120, 150.0]
    let overlapping = Self.steps(30) + Self.steps(30, from: 10) + Self.steps(30, from: 450)
    let still = [Double](repeating: 5, count: 30)
    let monthly = Self.steps(20, of: 30 * Self.day)
    for rows in [twoDays, newestFirst, heartbeat, lateRow, overlapping, still, monthly] {
      for rows in [rows, rows.reversed()] {
        let (passed, refused) = run(rows)
        #expect(passed == rows && refused.isEmpty)
      }
    }
  }

  @Test("items without a date keep their place, however many they are") func undatedItems() {
    let void = [Double](repeating: .nan, count: 1000)
    let rows = [0, 30, Self.day, 60] + void + [90, 120, 150, 180]
    let (passed, refused) = run(rows)
    #expect(refused == [Self.day])
    #expect(passed.filter { !$0.isNaN } == [0, 30, 60, 90, 120, 150, 180])
    #expect(passed.count { $0.isNaN } == 1000 && passed[3].isNaN && passed[2] == 60)
  }

  @Test("dates three centuries apart are no trouble") func farDates() {
    var dates = LoneDates<UTCInstant> { $0 }
    var passed = 0
    var refused = 0
    for seconds in [-9e9, 9e9, -9e9, 9e9, 0, 1, 2, 3, -9e9, 9e9] {
      dates.take(UTCInstant(seconds: seconds)) { _ in
        passed += 1
      } refuse: { _ in
        refused += 1
      }
    }
    dates.finish { _ in
      passed += 1
    } refuse: { _ in
      refused += 1
    }
    #expect(passed + refused == 10)
  }
}
