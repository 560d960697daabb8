import Records
import Core
import Testing

@testable import Tracking

/// 700 J of a full battery, planned for seven days.
@Suite struct BatteryPlanTests {
  static let day = Seconds.days(1)

  /// A battery that is read every half hour.
  struct Board {
    var budget = EnergyBudget(of: BatteryPlan(700, over: .days(7)))
    var now = BootInstant.zero

    init() { budget.drawn(EnergyBudgetTests.draw(0), at: now) }

    mutating func read(_ level: Double, isSupplied: Bool = false, times: Int = 1) {
      for _ in 0..<times {
        budget.read(BatteryReading(level: level, isSupplied: isSupplied), at: now)
        now = now + .minutes(30)
      }
    }

    /// - Parameter level: the charge level, given the part of the day that has passed.
    mutating func day(_ level: (Double) -> Double) {
      for half in 0..<48 { read(level(Double(half) / 48)) }
    }
  }

  @Test("a battery that drains as planned gives the same every day")
  func asPlanned() {
    var board = Board()
    #expect(board.budget.daily == 100)
    for day in 0..<6 {
      board.day { 1 - (Double(day) + $0) / 7 }
      #expect(abs(board.budget.daily.value - 100) < 10, "day \(day)")
    }
  }

  @Test("a battery that starts half full gives half for all the days")
  func halfFull() {
    var board = Board()
    board.read(0.5)
    #expect(board.budget.daily == 50)
    #expect(board.budget.batteryRemaining == .days(7))
  }

  @Test("when the board uses more than expected, less is left for the receiver")
  func hungryBoard() {
    var board = Board()
    for day in 0..<4 { board.day { 1 - (Double(day) + $0) / 5 } }
    // A fifth is left, for three days.
    #expect(abs(board.budget.daily.value - 140.0 / 3) < 4)
    board.day { 0.2 - $0 / 5 * 0.95 }
    #expect(board.budget.daily < 10)
  }

  @Test("a remainder at the end is not spent at once")
  func afterTheEnd() {
    var board = Board()
    board.read(1)
    board.now = board.now + .days(30)
    board.read(0.4, times: 5)
    #expect(board.budget.daily == 280)
    #expect(board.budget.batteryRemaining == .days(1))
  }

  @Test("charging restarts the days, and so does a fuller battery")
  func charged() {
    for isSupplied in [true, false] {
      var board = Board()
      for day in 0..<5 { board.day { 1 - (Double(day) + $0) / 7 } }
      board.read(0.9, isSupplied: isSupplied, times: 5)
      #expect(abs(board.budget.daily.value - 90) < 1)
      let remaining = board.budget.batteryRemaining ?? 0
      #expect(remaining <= .days(7) && remaining > .days(6.9))
    }
  }

  @Test("a gauge with a resolution of one percent may rise by one")
  func steps() {
    var board = Board()
    for hour in 0..<48 { board.read(0.8 - Double(hour) * 0.002 + (hour % 2 == 0 ? 0.01 : 0)) }
    #expect(abs((board.budget.batteryRemaining ?? 0) / Self.day - 6) < 0.1)
  }

  @Test("one or two invalid readings change nothing", arguments: [0, 1])
  func outliers(wild: Double) {
    var board = Board()
    board.read(0.6, times: 5)
    let daily = board.budget.daily
    let remaining = board.budget.batteryRemaining ?? 0
    for _ in 0..<2 {
      board.read(wild)
      #expect(abs((board.budget.daily - daily).value) < 1)
    }
    board.read(0.6, times: 5)
    #expect(remaining - (board.budget.batteryRemaining ?? 0) < .hours(4))
  }

  @Test("a gauge with false charging reports never makes a battery end earlier")
  func liar() {
    var board = Board()
    var left = 700.0
    for day in 0..<7 {
      board.read(left / 700, isSupplied: true, times: 48)
      left -= board.budget.daily.value
      #expect(left > 0, "day \(day)")
      #expect(board.budget.daily.value <= 100)
    }
  }

  @Test("until it can be read, a battery counts as full")
  func unread() {
    var board = Board()
    board.now = board.now + .days(30)
    board.budget.drawn(EnergyBudgetTests.draw(150), at: board.now)
    #expect(board.budget.daily == 100)
    #expect(board.budget.battery?.level == nil)
  }

  @Test("a restart keeps the days and the last readings")
  func restart() {
    var board = Board()
    for day in 0..<3 { board.day { 1 - (Double(day) + $0) / 7 } }
    var next = EnergyBudget(of: BatteryPlan(700, over: .days(7)))
    next.restore(board.budget.snapshot, at: .zero + 20)
    #expect(abs((next.daily - board.budget.daily).value) < 1)
    #expect(next.battery?.level == board.budget.battery?.level)
    next.read(BatteryReading(level: 0, isSupplied: false), at: .zero + 30)
    #expect(abs((next.daily - board.budget.daily).value) < 5)
    // The plan is restored into a budget without one.
    var other = EnergyBudget(daily: 100)
    other.restore(board.budget.snapshot, at: .zero)
    #expect(other.battery == nil && other.daily == 100)
  }

  @Test(
    "a damaged plan is replaced by a new one",
    arguments: [
      "null", "7", #"{"levels":[2],"began_s":-1}"#, #"{"levels":"x","lowest_level":9}"#,
      #"{"levels":[0.1,0.1,0.1,0.1,0.1,0.1,0.1]}"#, #"{"began_s":1e300}"#,
    ])
  func damage(plan: String) throws {
    var budget = EnergyBudget(of: BatteryPlan(700, over: .days(7)))
    let text = #"{"elapsed_s":86400,"spent_J":[1],"battery":\#(plan)}"#
    budget.restore(try JSONValue(parsing: text), at: .zero)
    #expect(budget.daily == 100)
    budget.read(BatteryReading(level: 0.5, isSupplied: false), at: .zero)
    #expect(budget.daily == 50)
  }
}
