import Core

/// The energy that the receiver and the sources may use, per day or for a number of days.
public struct BudgetSettings: Hashable, SettingGroup {
  /// Nil: not limited.
  public var energy: Joules?
  public var charge: Coulombs?
  public var period: Seconds = .days(1)
  public var voltage: Volts = 3.7
  /// The power supply with the fuel gauge: its name, or `firstBattery`. Nil: none.
  public var gauge: String?
  /// The first battery, whatever its name.
  public static let firstBattery = "auto"

  public init() {}

  /// Per 24 hours; nil: there is no budget.
  public var daily: Joules? { whole.map { $0 * (Seconds.days(1) / period) } }

  private var whole: Joules? { energy ?? charge.map { $0 * voltage } }

  /// A budget with nothing spent; nil: there is none.
  var budget: EnergyBudget? {
    guard let whole, let daily else { return nil }
    return gauge == nil
      ? EnergyBudget(daily: daily) : EnergyBudget(of: BatteryPlan(whole, over: period))
  }

  /// Declared in the section of the policy that has the budget.
  public mutating func declare(_ setting: SettingVisitor) {
    setting(
      "budget_J", &energy, .optional(.quantity(0...1e9), noneAt: 0),
      "Energy budget of GNSS and the sources for budget_days, low-power modes included; to keep "
        + "it, fix attempts become rarer where that matters least. 0: no budget.")
    setting(
      "budget_mAh", &charge, .optional(.quantity(0...1e8), noneAt: 0),
      "The same budget as charge of a battery of budget_V, instead of budget_J. 0: not set.")
    setting(
      "budget_days", &period, .quantity(1...3650),
      "Number of days for the budget. 1: a daily budget.")
    setting(
      "budget_V", &voltage, .quantity(0.5...60), "Nominal voltage of the battery of budget_mAh.")
    setting(
      "budget_gauge", &gauge, .optional(.text(bytes: 0...255), noneAt: ""),
      "Fuel gauge of the battery of the whole board: a name in /sys/class/power_supply or \"auto\" "
        + "for the first battery. The budget is then for a full battery: with a half-full battery, "
        + "half of it remains for the rest of budget_days, which start at the last charge. Empty: "
        + "no gauge is read.", counts: .atStart)
    setting.conflicts(contradictions)
  }

  private var contradictions: [SettingConflict] {
    if energy != nil, charge != nil {
      return [
        SettingConflict(
          "budget_mAh", because: "budget_J", "and budget_J are both set; set only one of them")
      ]
    }
    guard daily == nil else { return [] }
    if gauge != nil {
      return [
        SettingConflict(
          "budget_gauge",
          "measures the level of the battery, but the budget of a full one is not set; set "
            + "budget_J or budget_mAh")
      ]
    }
    guard period != .days(1) else { return [] }
    return [
      SettingConflict(
        "budget_days",
        "is the time of a budget, but none is set; set budget_J or "
          + "budget_mAh")
    ]
  }
}
