import Records
import Ports

/// How full a battery of the kernel's power_supply class is: a fuel gauge chip, a charger with a
/// counter, or the firmware of a UPS board (Documentation/ABI/testing/sysfs-class-power).
public final class BatteryGauge: BatteryPort {
  private let wanted: String?
  private let root: String
  private var found: String?

  /// - Parameters:
  ///   - device: name of the supply; nil: the first battery.
  ///   - root: where sysfs is.
  public init(device: String?, root: String = "/sys") {
    wanted = device
    self.root = root
  }

  public var name: String { "battery \(found ?? wanted ?? "(the first one)")" }

  public func read() throws(PortError) -> BatteryReading {
    let supply: PowerSupplyFolder
    do throws(NoPowerSupply) {
      supply = try PowerSupplyFolder(wanted, root: root)
    } catch {
      throw PortError(error.message(setting: "policy.adaptive.budget_gauge"))
    }
    found = supply.name
    do throws(AttributeFault) {
      if let level = try Self.level(supply) {
        return BatteryReading(level: level, isSupplied: Self.isSupplied(supply))
      }
    } catch {
      throw PortError("\(name): \(error.message)\(error.advice)")
    }
    throw PortError(
      "\(name): \(supply.file("")) reports neither energy_now and energy_full, nor charge_now and "
        + "charge_full, nor a capacity of 0 to 100, so its level is unknown; set "
        + "policy.adaptive.budget_gauge to another one")
  }

  /// Plugged in, charging or not: the words are those of `power_supply_status_text` in
  /// power_supply_sysfs.c.
  private static func isSupplied(_ supply: PowerSupplyFolder) -> Bool {
    ["Charging", "Full", "Not charging"].contains(supply.word("status"))
  }

  /// Relative to the battery's capacity when new; nil if no plausible value is given. Energy and
  /// charge come in steps of µWh and µAh, the capacity in percent only.
  private static func level(_ supply: PowerSupplyFolder) throws(AttributeFault) -> Double? {
    for quantity in ["energy", "charge"] {
      guard let full = try supply.number(quantity + "_full"), full > 0 else { continue }
      let wear = try wear(of: full, design: supply.number(quantity + "_full_design"))
      if let now = try supply.number(quantity + "_now"), (0...full * 1.2).contains(now) {
        return min(now / full, 1) * wear
      }
      if let level = try capacity(supply) { return level * wear }
    }
    return try capacity(supply)
  }

  /// The share of the design capacity that is left. Without a plausible design value the battery
  /// counts as new.
  private static func wear(of full: Double, design: Double?) -> Double {
    guard let design, design > 0, full / design >= 0.05 else { return 1 }
    return min(full / design, 1)
  }

  private static func capacity(_ supply: PowerSupplyFolder) throws(AttributeFault) -> Double? {
    guard let percent = try supply.number("capacity"), (0...100).contains(percent) else {
      return nil
    }
    return percent / 100
  }
}
