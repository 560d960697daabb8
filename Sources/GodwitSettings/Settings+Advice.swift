import Records
import Core
import GNSS

extension Settings {
  /// Valid settings that are hardly useful; a sentence each, with the remedy.
  public var advice: [String] { [adviceOnSwitch].compactMap { $0 } }

  /// A receiver without a switch is always on. Godwit then reads its output all the time, because
  /// that costs no additional energy.
  private var adviceOnSwitch: String? {
    guard receiver.kind != .none, isAlwaysOn else { return nil }
    let day = gnss.tracking * gnss.supply * .days(1)
    return "nothing can switch the receiver, so it is always on and read, for about "
      + "\(FixedDecimal.text(day.value / 1000, digits: 1)) kJ a day (gnss.tracking_mA); "
      + waysToSave
  }

  /// According to the settings only: a receiver that is identified later may support sleep.
  private var isAlwaysOn: Bool {
    switch powerSwitch.kind {
    case .none: true
    case .gpio: powerSwitch.lines[.supply] == nil && powerSwitch.sleepCommand == .none
    case .gnss, .command, .virtual: false
    }
  }

  private var waysToSave: String {
    let supply = powerSwitch.lines[.supply].map {
      "power_switch.kind = \"gpio\" switches its supply by \($0.text), which is set but not used"
    }
    let sleep = receiver.family.map { family in
      ReceiverAbilities(of: family).sleepMethods(hasWakeLine: false).isEmpty
        ? nil : "power_switch.kind = \"command\" puts it to sleep by a command"
    }
    let unknown: String? =
      receiver.family == nil
      ? "power_switch.kind = \"command\" saves most of that if it supports a sleep "
        + "command (check with godwit gnss probe)" : nil
    let wire: String? =
      supply == nil
      ? "a switch in its supply saves most (power_switch.kind = \"gpio\", power_switch.supply)"
      : nil
    return [supply, sleep ?? unknown, wire].compactMap { $0 }.joined(separator: "; ")
  }
}
