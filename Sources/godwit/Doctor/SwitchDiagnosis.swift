import GodwitSettings
import Platform
import GNSS
import Hardware

/// Checks that the lines that switch the receiver exist and are free. It requests and sets none.
enum SwitchDiagnosis {
  static func findings(_ settings: Settings) -> [Finding] {
    let advice = settings.advice.map { Finding.warn("switch", $0) }
    guard let gpio = ConfiguredDevices.gpio(settings.powerSwitch) else { return advice }
    let lines = SwitchCheck.examine(gpio)
    var findings = PowerLine.allCases.compactMap { line in
      lines[line]?.finding("switch.\(line.rawValue)", written: gpio.lines[line]?.text ?? "")
    }
    if let label = lines[.supply]?.label, let isKept = LinePersistence.kept(chip: label) {
      findings.append(afterwards(settings.powerSwitch, isKept: isKept))
    }
    return findings + advice
  }

  /// The state of the supply after the daemon has ended.
  static func afterwards(_ settings: PowerSwitchSettings, isKept: Bool) -> Finding {
    let part = "switch.afterwards"
    if isKept {
      return .ok(
        part,
        "this kernel keeps the state of a line when its owner ends; so that a crash switches the "
          + "receiver off, add dtparam=strict_gpiod to config.txt and a pull to the switch's enable"
      )
    }
    guard settings.onExit == .off else {
      return .warn(
        part,
        "power_switch.on_exit = \"\(settings.onExit.rawValue)\" has no effect after the daemon: "
          + "this kernel makes a line an input when its owner ends, so its pull decides; remove "
          + "dtparam=strict_gpiod from config.txt, or set pinctrl_bcm2835.persist_gpio_outputs=1 "
          + "(Pi 5: pinctrl_rp1) on the kernel's command line")
    }
    return .ok(part, "this kernel makes a line an input when its owner ends, so its pull decides")
  }
}

/// Whether a Raspberry Pi's kernel keeps a line's state when no process holds it any more, as after
/// a crash (`persist_gpio_outputs` of pinctrl-bcm2835.c and pinctrl-rp1.c).
enum LinePersistence {
  /// - Parameters:
  ///   - label: the chip's.
  ///   - modules: the folder of the kernel's module parameters.
  /// - Returns: nil for other chips, and for drivers without the parameter.
  static func kept(chip label: String, modules: String = "/sys/module") -> Bool? {
    let driver =
      label.hasPrefix("pinctrl-rp1")
      ? "pinctrl_rp1" : label.hasPrefix("pinctrl-bcm2") ? "pinctrl_bcm2835" : nil
    guard let driver else { return nil }
    return
      switch SystemFiles.firstLine(of: "\(modules)/\(driver)/parameters/persist_gpio_outputs")
    {
    case "Y": true
    case "N": false
    default: nil
    }
  }
}
