import Formats
import Core
import Testing

/// Items are times in seconds.
@Suite struct LoneDatesTests {
  private static let day = 86_400.0
  private static let week = 7 * day

  /// The dates that pass, and those that are refused.
  private func run(_ seconds: [Double]) -> (passed: [Double], refused: [Double]) {
    var dates = OutlierDates<Double> { $0.isNaN ? nil : UTCInstant(seconds: 1_777_593_600 + $0) }
    var passed: [Double] = []
    var refused: [Double] = []
    for second in seconds {
      dates.take(second) {
        passed.append($0)
      } refuse: { second, _ in
        refused.append(second)
      }
    }
    dates.finish {
      passed.append($0)
    } refuse: { second, _ in
      refused.append(second)
    }
    return (passed, refused)
  }

  private static func steps(_ count: Int, of step: Double = 30, from start: Double = 0) -> [Double]
  {
    (0..<count).map { start + Double($0) * step }
  }

  @Test(
    "a date that its neighbours contradict is refused, wherever it is",
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

  @Test("several consecutive wrong dates are refused, too", arguments: 1...4)
  func aShortRunIsRefused(length: Int) {
    var seconds = Self.steps(40)
    for index in 20..<20 + length { seconds[index] += Self.day }
    #expect(run(seconds).refused == Array(seconds[20..<20 + length]))
  }

  @Test("a run shifted as a whole is refused, however long", arguments: [5, 8, 40, 400])
  func aMovedRunIsRefused(length: Int) {
    for deviation in [-1024 * Self.week, 1024 * Self.week, 365 * Self.day, Self.day, -Self.day] {
      for rows in [Self.steps(1000, of: 2), Self.steps(1000, of: 2).reversed()] {
        var seconds = rows
        for index in 300..<300 + length { seconds[index] += deviation }
        let (passed, refused) = run(seconds)
        #expect(refused == Array(seconds[300..<300 + length]), "\(deviation)")
        #expect(passed == Array(rows[..<300] + rows[(300 + length)...]))
      }
    }
  }

  @Test("positions recorded elsewhere between two others are not a shifted run")
  func aBlockOfAnotherDayIsLeftAlone() {
    let block = Self.steps(20, from: Self.day)
    for pause: Double in [30, 3600, 28_800] {
      let rows = Self.steps(40) + block + Self.steps(40, from: 1200 + pause)
      let (passed, refused) = run(rows)
      #expect(passed == rows && refused.isEmpty, "\(pause)")
    }
  }

  @Test("if nothing is missing, a date may be that of a delayed row") func delayedRows() {
    var mayBeLate: [Bool] = []
    for rows in [
      // Delayed and wrong.
      Self.steps(10) + Self.steps(60, from: 390) + Self.steps(3, from: 300)
        + Self.steps(20, from: 2190),
      Self.steps(40) + [Self.day] + Self.steps(20, from: 41 * 30),
    ] {
      var dates = OutlierDates<Double> { UTCInstant(seconds: $0) }
      for second in rows { dates.take(second, pass: { _ in }) { mayBeLate.append($1) } }
      dates.finish(pass: { _ in }) { mayBeLate.append($1) }
    }
    #expect(mayBeLate == [true, true, true, false])
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

  @Test("increasing dates are left unchanged, in their order")
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

  @Test("items without a date keep their place, however many there are") func undatedItems() {
    let void = [Double](repeating: .nan, count: 1000)
    let rows = [0, 30, Self.day, 60] + void + [90, 120, 150, 180]
    let (passed, refused) = run(rows)
    #expect(refused == [Self.day])
    #expect(passed.filter { !$0.isNaN } == [0, 30, 60, 90, 120, 150, 180])
    #expect(passed.count { $0.isNaN } == 1000 && passed[3].isNaN && passed[2] == 60)
  }

  @Test("dates three centuries apart are handled") func farDates() {
    var dates = OutlierDates<UTCInstant> { $0 }
    var passed = 0
    var refused = 0
    for seconds in [-9e9, 9e9, -9e9, 9e9, 0, 1, 2, 3, -9e9, 9e9] {
      dates.take(UTCInstant(seconds: seconds)) { _ in
        passed += 1
      } refuse: { _, _ in
        refused += 1
      }
    }
    dates.finish { _ in
      passed += 1
    } refuse: { _, _ in
      refused += 1
    }
    #expect(passed + refused == 10)
  }
}
