import Core
import Tracking

/// The energy budget, what of it is spent, and what the rest affords: for `status` and the end of a
/// simulation.
struct BudgetReport {
  private let budget: EnergyBudget
  private let affordable: AffordableRates?
  private let link: BatteryLink?

  /// Nil: no budget is set.
  init?(_ runtime: TrackerRuntime, at now: BootInstant) {
    guard runtime.tracker.budget != nil else { return nil }
    // Includes what was drawn since the last event.
    var tracker = runtime.tracker
    _ = tracker.step(runtime.energy.drawn(at: now), at: now)
    guard let budget = tracker.budget else { return nil }
    self.budget = budget
    affordable = tracker.affordable
    link = runtime.battery
  }

  var json: JSONValue {
    .object([
      ("daily_J", .rounded(budget.daily.value, digits: 3)),
      ("spent_day_J", .rounded(budget.spentLastDay.value, digits: 3)),
      ("spent_week_J", .rounded(budget.spent.value, digits: 3)),
      ("limit_week_J", .rounded(budget.limit.value, digits: 3)),
      ("spendable_J", .rounded(max(0, budget.spendable.value), digits: 3)),
      ("is_spent", .bool(budget.isSpent)),
      ("rest_pause_s", .rounded(affordable?.restPause.value, digits: 0)),
      ("trajectory_error_m", .rounded(affordable?.trajectoryError.value, digits: 0)),
      ("bracket_s", .rounded(affordable?.bracket.value, digits: 0)),
      ("battery", battery),
    ])
  }

  /// The battery level and how long it has to last; null if no gauge is read.
  private var battery: JSONValue {
    guard let plan = budget.battery, let remaining = budget.batteryRemaining else { return .null }
    return .object([
      ("name", .text(link?.name)),
      ("level_percent", .rounded(plan.level.map { $0 * 100 }, digits: 1)),
      ("is_supplied", .bool(plan.isSupplied)),
      ("days_left", .rounded(remaining / .days(1), digits: 2)),
      ("failure", .text(link == nil ? "no fuel gauge is read in this run" : link?.failure)),
    ])
  }

  /// One line for people.
  var text: String {
    func joules(_ energy: Joules) -> String { FixedDecimal.text(energy.value, digits: 2) }
    return "energy budget: \(joules(budget.daily)) J a day; \(joules(budget.spent)) J of "
      + "\(joules(budget.limit)) J spent in the last seven days"
  }
}
