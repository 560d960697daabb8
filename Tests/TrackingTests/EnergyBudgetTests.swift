import Core
import Testing

@testable import Tracking

@Suite struct EnergyBudgetTests {
  static let hour = Seconds.hours(1)

  /// A receiver that rests at 5 J a day and searches with 0.1 W.
  static func draw(_ total: Double) -> EnergyDraw {
    EnergyDraw(total: Joules(total), resting: Watts(5 / 86_400), searching: 0.1)
  }

  /// A consumer, with its own account of the spending beside the budget's.
  struct Spender {
    var budget: EnergyBudget
    var now = BootInstant.zero
    var total = 0.0
    /// The total spent at each time.
    var history: [(at: Double, total: Double)] = []

    init(daily: Double) {
      budget = EnergyBudget(daily: Joules(daily))
      budget.drawn(EnergyBudgetTests.draw(0), at: now)
    }

    mutating func wait(_ time: Seconds, costing cost: Double = 0) {
      now = now + time
      total += cost + time.value * 5 / 86_400
      history.append(((now - .zero).value, total))
      budget.drawn(EnergyBudgetTests.draw(total), at: now)
    }

    /// A search of some seconds, ended early when the budget is spent.
    mutating func search(_ seconds: Int) {
      for _ in 0..<seconds where !budget.isSpent { wait(1, costing: 0.1) }
    }

    /// The most that was spent in any seven days, at the times of the history.
    var dearestWeek: Double {
      var dearest = 0.0
      var first = 0
      for (index, entry) in history.enumerated() {
        while history[first].at < entry.at - 7 * 86_400 { first += 1 }
        let before = first == 0 ? 0 : history[first - 1].total
        dearest = max(dearest, history[index].total - before)
      }
      return dearest
    }
  }

  @Test(
    "for any use, no seven days cost more than their budget", arguments: [1, 2, 3, 4, 5])
  func neverOver(seed: UInt64) {
    var dice = Dice(seed: seed)
    let daily = [12.0, 40, 100, 200, 300][Int(seed) - 1]
    var spender = Spender(daily: daily)
    while spender.now < .zero + .days(24) {
      // Whole days of rest, then as much as the budget allows.
      let isGreedy = dice.uniform < 0.7
      for _ in 0..<Int(dice.uniform * 200) {
        spender.wait(Seconds(dice.uniform * (isGreedy ? 100 : 1200)))
        if isGreedy { spender.search(Int(dice.uniform * 60)) }
      }
      let day = max(1, (spender.now - .zero) / .days(1))
      if day <= 7 { #expect(spender.total <= daily * day + 1e-6) }
    }
    #expect(spender.dearestWeek <= daily * 7 + 1e-6)
    #expect(spender.dearestWeek > daily * 7 * 0.6)
  }

  @Test("the first day has its budget at once, and a day's remainder is kept for a week")
  func saving() {
    var spender = Spender(daily: 100)
    #expect(spender.budget.spendable.value == 100 - 5 - 6)
    #expect(abs((spender.budget.income * .days(1)).value - (100 - 5 - 6 - 0.1 * 95)) < 1e-9)
    for _ in 0..<(3 * 24) { spender.wait(Self.hour) }
    #expect(abs(spender.budget.spent.value - 15) < 0.01)
    #expect(abs(spender.budget.limit.value - 300) < 0.01)
    for _ in 0..<(30 * 24) { spender.wait(Self.hour) }
    #expect(abs(spender.budget.limit.value - 700) < 0.01)
    #expect(spender.budget.spent < 37)
  }

  @Test("the income falls while spending exceeds it, and never decreases with more budget")
  func income() {
    var last = Watts(1)
    var spender = Spender(daily: 60)
    while !spender.budget.isSpent {
      spender.search(10)
      #expect(spender.budget.income <= last)
      last = spender.budget.income
    }
    #expect(spender.budget.income == 0)
    func income(daily: Double) -> Double {
      var spender = Spender(daily: daily)
      for _ in 0..<40 {
        spender.wait(Self.hour)
        spender.wait(0, costing: 3)
      }
      return spender.budget.income.value
    }
    let incomes = [1.0, 5, 20, 60, 75, 80, 90, 100, 150, 1e6, 1e300].map(income)
    #expect(incomes == incomes.sorted())
    #expect(incomes.first == 0 && incomes.last! > 1e290)
  }

  @Test("spending the whole income leaves the reserve after weeks, and no more")
  func balance() {
    var spender = Spender(daily: 100)
    for _ in 0..<(40 * 24) {
      let spent = spender.budget.income * Self.hour
      spender.wait(Self.hour, costing: spent.value)
    }
    #expect(abs(spender.budget.spendable.value - 95 * 0.1) < 12)
    #expect(spender.dearestWeek <= 700 && spender.dearestWeek > 620)
  }

  @Test("once it is spent it waits until there is enough for another attempt")
  func recovery() {
    var spender = Spender(daily: 60)
    spender.wait(.days(1), costing: 100)
    #expect(spender.budget.isSpent && spender.budget.spendable < 0)
    #expect(spender.budget.nextCheck == spender.now + .minutes(30))
    var waited = 0
    while spender.budget.isSpent {
      spender.wait(.minutes(30))
      waited += 1
    }
    #expect(spender.budget.spendable >= 0)
    #expect((30...60).contains(waited))
  }

  @Test("impossible energies, and a clock that goes back, change nothing")
  func hostile() {
    for daily in [Double.nan, -1, 0, .infinity, -.infinity] {
      var budget = EnergyBudget(daily: Joules(daily))
      budget.drawn(Self.draw(0), at: .zero)
      #expect(budget.daily == 0 && budget.income == 0 && budget.isSpent)
    }
    var spender = Spender(daily: 100)
    spender.wait(Self.hour, costing: 10)
    let before = spender.budget.spent
    for total in [Double.nan, .infinity, -.infinity, -50, 1e300] {
      spender.budget.drawn(Self.draw(total), at: spender.now)
      spender.budget.drawn(Self.draw(spender.total), at: spender.now)
      #expect(spender.budget.spent == before)
    }
    spender.budget.drawn(
      EnergyDraw(total: 1, resting: Watts(.nan), searching: 1), at: spender.now)
    #expect(spender.budget.income > 0 && !spender.budget.isSpent)
    for jump in [Int64.min, .max] {
      var budget = spender.budget
      budget.drawn(Self.draw(spender.total), at: BootInstant(nanoseconds: jump))
      budget.drawn(Self.draw(spender.total + 1), at: spender.now)
      #expect(budget.spendable <= 700)
      #expect(budget.spent >= (jump < 0 ? before : 0))
    }
  }

  @Test("a restart keeps the spending, and time off earns nothing")
  func restart() {
    var spender = Spender(daily: 100)
    for _ in 0..<60 { spender.wait(Self.hour, costing: 3) }
    let before = spender.budget
    var after = EnergyBudget(daily: 100)
    // After a reboot the meter starts at zero.
    after.restore(before.snapshot, at: .zero + 30)
    after.drawn(Self.draw(0), at: .zero + 30)
    #expect(abs((after.spent - before.spent).value) < 1e-6)
    #expect(abs((after.limit - before.limit).value) < 1e-6)
    #expect(abs(after.spendable.value - before.spendable.value) < 1e-6)
    // Energy spent before the store becomes available is added.
    var late = EnergyBudget(daily: 100)
    late.drawn(Self.draw(0), at: .zero)
    late.drawn(Self.draw(20), at: .zero + Self.hour)
    late.restore(before.snapshot, at: .zero + Self.hour)
    #expect(abs((late.spent - before.spent).value - 20) < 1e-6)
    #expect(abs((late.limit - before.limit).value - 100.0 / 24) < 1e-6)
  }

  @Test("a damaged snapshot is ignored")
  func damage() throws {
    let many = Array(repeating: "1", count: 1000).joined(separator: ",")
    for text in [
      "null", "{}", #"{"elapsed_s":-1,"spent_J":[1]}"#, #"{"elapsed_s":1e300,"spent_J":[1]}"#,
      #"{"elapsed_s":10,"spent_J":[]}"#, #"{"elapsed_s":10,"spent_J":[-1]}"#,
      #"{"elapsed_s":10,"spent_J":["x"]}"#, #"{"elapsed_s":10,"spent_J":[1e300]}"#,
      #"{"elapsed_s":10,"spent_J":[\#(many)]}"#,
    ] {
      var budget = EnergyBudget(daily: 100)
      budget.restore(try JSONValue(parsing: text), at: .zero)
      #expect(budget == EnergyBudget(daily: 100))
    }
  }
}
