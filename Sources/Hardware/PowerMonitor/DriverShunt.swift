import Records
import Platform
import Core

/// The shunt value that a hwmon driver divides by, compared with the real one. Drivers assume 10 mΩ
/// unless they are configured, and most breakouts carry 100 mΩ: the reported current is ten times
/// too high.
struct DriverShunt: Equatable {
  /// Factor for the driver's currents, powers and energies.
  private(set) var factor = 1.0
  /// A message for the user; nil if the driver has the right shunt.
  private(set) var warning: String?

  /// - Parameter kernel: its release, "6.12.41+deb13-amd64", which determines the defaults.
  init(
    _ settings: MonitorSettings, folder: String, kernel: String
  ) throws(AttributeFault) {
    guard settings.chip.facts.internalShunt == nil else { return }
    let wanted = (settings.shunt.value * 1e6).rounded()
    let file =
      folder
      + (settings.chip == .ina3221 ? "/shunt\(settings.channel)_resistor" : "/shunt_resistor")
    guard let configured = try AttributeFile.number(at: file) else {
      let assumed = Self.assumed(settings.chip, folder: folder, kernel: kernel)
      factor = Self.factor(settings.chip, driver: assumed, shunt: settings.shunt)
      if assumed != wanted {
        warning =
          "the driver of the \(settings.chip.rawValue) has no setting for its shunt and "
          + "\(Self.correction(assumed, settings.shunt)); to be exact, set "
          + "\(Self.property(settings.chip)) in its device-tree node"
      }
      return
    }
    guard configured > 0 else { throw AttributeFault(path: file, reason: .notANumber) }
    factor = Self.factor(settings.chip, driver: configured, shunt: settings.shunt)
    guard configured != wanted else { return }
    do {
      try AttributeFile.write("\(Int(wanted))\n", to: file)
      guard try AttributeFile.number(at: file) == wanted else {
        throw AttributeFault(path: file, reason: .notANumber)
      }
      factor = Self.factor(settings.chip, driver: wanted, shunt: settings.shunt)
      warning =
        "the driver of the \(settings.chip.rawValue) assumed \(Self.text(configured)); it was "
        + "set to power_monitor.shunt_mOhm"
    } catch {
      warning =
        "\(file) cannot be set to \(Int(wanted)) µΩ; the driver "
        + Self.correction(configured, settings.shunt)
    }
  }

  /// The driver computes with whole microamperes per step: for 15 mΩ with an INA226 it uses 167 µA
  /// instead of 166.67 (ina2xx.c, ina2xx_set_shunt). The others divide exactly.
  /// - Parameter driver: in µΩ.
  static func factor(_ chip: MonitorChip, driver: Double, shunt: Ohms) -> Double {
    let trueStep = chip.facts.shuntStep.value * 1e12 / (shunt.value * 1e6)
    switch chip {
    case .ina219, .ina220, .ina226, .ina230, .ina231:
      let driverStep = (chip.facts.shuntStep.value * 1e12 / driver).rounded()
      return driverStep >= 1 ? trueStep / driverStep : 1
    case .ina228, .ina237, .ina238, .ina260, .ina3221, .ltc2945:
      return driver / (shunt.value * 1e6)
    }
  }

  /// The divisor of a driver without the attribute, in µΩ: the device tree's value, or its own.
  private static func assumed(_ chip: MonitorChip, folder: String, kernel: String) -> Double {
    let cell = deviceTreeCell("\(folder)/device/of_node/\(property(chip))")
    // ltc2945.c reads the device tree since Linux 6.3.
    let isHeeded = chip != .ltc2945 || isAtLeast(6, 3, kernel)
    if isHeeded, let cell, cell > 0 { return Double(cell) }
    switch chip {
    // ina238.c: 10 mΩ, and 2.5 mΩ since Linux 6.18.
    case .ina228, .ina237, .ina238: return isAtLeast(6, 18, kernel) ? 2500 : 10_000
    case .ltc2945: return 1000
    case .ina219, .ina220, .ina226, .ina230, .ina231, .ina260, .ina3221: return 10_000
    }
  }

  /// Four bytes, big-endian; nil if the device tree has no value.
  private static func deviceTreeCell(_ path: String) -> UInt32? {
    guard let bytes = try? SystemFiles.bytes(of: path, atMost: 5), bytes.count == 4 else {
      return nil
    }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The bindings ti,ina2xx.yaml and adi,ltc2945.yaml.
  private static func property(_ chip: MonitorChip) -> String {
    chip == .ltc2945 ? "shunt-resistor-micro-ohms" : "shunt-resistor"
  }

  static func isAtLeast(_ major: Int, _ minor: Int, _ kernel: String) -> Bool {
    let parts = kernel.split { !("0"..."9").contains($0) }.prefix(2).compactMap { Int($0) }
    guard parts.count == 2 else { return false }
    return (parts[0], parts[1]) >= (major, minor)
  }

  private static func correction(_ driver: Double, _ shunt: Ohms) -> String {
    "assumes \(text(driver)) but power_monitor.shunt_mOhm is \(text(shunt.value * 1e6)): "
      + "its readings are corrected"
  }

  /// - Parameter microohms: "10 mΩ", "2.5 mΩ".
  private static func text(_ microohms: Double) -> String {
    let value = (microohms / 1000 * 1e6).rounded() / 1e6
    return (value == value.rounded() ? "\(Int(value))" : "\(value)") + " mΩ"
  }
}
