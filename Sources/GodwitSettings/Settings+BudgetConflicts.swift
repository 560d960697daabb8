import Core
import Tracking

extension Settings {
  /// A budget that cannot be met: the receiver draws more even at rest.
  var conflictsOfBudget: [SettingConflict] {
    let budget = policy.constants[AdaptiveSettings.self].budget
    guard let daily = budget.daily else { return [] }
    let resting: Amperes = min(gnss.off, gnss.sleeping)
    let floor: Joules = resting * gnss.supply * Seconds.days(1)
    guard daily <= floor else { return [] }
    func joules(_ energy: Joules) -> String { FixedDecimal.text(energy.value, digits: 2) }
    return [
      SettingConflict(
        "policy.adaptive.\(budget.energy == nil ? "budget_mAh" : "budget_J")",
        because: "policy.adaptive.budget_days",
        "is \(joules(daily)) J a day, and the receiver draws \(joules(floor)) J a day while it is "
          + "off or asleep (gnss.off_mA, gnss.sleeping_mA): set a larger value, or 0 for no budget")
    ]
  }
}
