import Quantities
import SettingDeclarations

/// How much energy the receiver and the sources may take: so much a day, or so much for a number
/// of days.
public struct BudgetSettings: Hashable, SettingGroup {
  /// Nil: it is not limited.
  public var energy: Joules?
  public var charge: Coulombs?
  public var period: Seconds = .days(1)
  public var voltage: Volts = 3.7

  public init() {}

  /// Of 24 hours; nil: there is no budget.
  public var daily: Joules? {
    let whole = energy ?? charge.map { $0 * voltage }
    return whole.map { $0 * (Seconds.days(1) / period) }
  }

  /// In the section of the policy that keeps it.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "budget_J", &energy, .optional(.quantity(0...1e9), noneAt: 0),
      "What GNSS and the sources may take in budget_days, low-power modes included; then it looks "
        + "less often where that matters least. 0: as much as it wants.")
    setting(
      "budget_mAh", &charge, .optional(.quantity(0...1e8), noneAt: 0),
      "The same as the charge of a battery of budget_V, in place of budget_J. 0: none is given.")
    setting(
      "budget_days", &period, .quantity(1...3650),
      "For how many days the budget is. 1: for each day.")
    setting(
      "budget_V", &voltage, .quantity(0.5...60), "Nominal voltage of the battery of budget_mAh.")
    setting.conflicts(contradictions)
  }

  private var contradictions: [SettingConflict] {
    if energy != nil, charge != nil {
      return [
        SettingConflict(
          "budget_mAh", because: "budget_J", "and budget_J are both given; give one of them")
      ]
    }
    guard daily == nil, period != .days(1) else { return [] }
    return [
      SettingConflict(
        "budget_days",
        "says for how long a budget is, and none is given; set budget_J or "
          + "budget_mAh")
    ]
  }
}
