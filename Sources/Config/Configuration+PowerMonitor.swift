extension Configuration {
  /// Settings of the power monitor that are fine alone but not together.
  var powerMonitorContradictions: [SettingProblem] {
    let monitor = settings.powerMonitor
    var found: [SettingProblem] = []
    func problem(_ name: String, _ message: String) {
      guard let setting = SettingSection.byKey["power_monitor.\(name)"],
        let kind = SettingSection.byKey["power_monitor.kind"]
      else { return }
      let place = origin(of: setting) == .builtIn ? origin(of: kind) : origin(of: setting)
      let written = "power_monitor.\(name) = \(setting.value(in: settings).toml)"
      found.append(SettingProblem(place: place.description, message: "\(written) \(message)"))
    }
    switch monitor.kind {
    case .none, .virtual, .powerSupply: return []
    case .hwmon: break
    case .iio:
      if !monitor.chip.hasIIODriver {
        problem(
          "chip", "is not driven by ina2xx-adc; use power_monitor.kind = \"hwmon\" or \"i2c\"")
      }
    case .i2c:
      if monitor.bus < 0 {
        problem("bus", "is no bus to open; write its number (1 for /dev/i2c-1)")
      }
      if monitor.address == 0 {
        problem("address", "is no address to ask; write the chip's (i2cdetect -y BUS shows it)")
      }
      if !monitor.chip.isReadRaw {
        problem(
          "chip", "is read through its kernel driver only; use power_monitor.kind = \"hwmon\"")
      }
      if !monitor.label.isEmpty {
        problem("label", "is known to a kernel driver only; write power_monitor.channel instead")
      }
    }
    if monitor.channel > monitor.chip.channels {
      problem(
        "channel", "is not on an \(monitor.chip.rawValue), which has \(monitor.chip.channels)")
    }
    return found
  }
}
