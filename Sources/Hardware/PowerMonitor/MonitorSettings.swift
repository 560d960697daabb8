import Records
import Ports
import Core

/// Which monitor to read, how to reach it, and which shunt it measures across.
public struct MonitorSettings: Equatable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    case none, hwmon, iio, i2c
    case powerSupply = "power_supply"
    case virtual
  }

  public var kind = Kind.none
  public var chip: MonitorChip
  /// Nil: any bus.
  public var bus: Int?
  /// Nil: any address.
  public var address: Int?
  /// From 1.
  var channel: Int
  /// Nil: the channel is chosen by its number.
  public var label: String?
  public var shunt: Ohms
  public var shuntTolerancePercent = 1.0
  /// Name of the device instead of chip, bus and address.
  public var device: String?
  /// Used if no voltage is measured. Not a setting of this section.
  public var nominalSupply: Volts

  public init(
    chip: MonitorChip = .ina226, bus: Int? = nil, address: Int? = 0x40, channel: Int = 1,
    label: String? = nil, shunt: Ohms = 0.1, device: String? = nil, nominalSupply: Volts = 3.3
  ) {
    self.chip = chip
    self.bus = bus
    self.address = address
    self.channel = channel
    self.label = label
    self.shunt = shunt
    self.device = device
    self.nominalSupply = nominalSupply
  }

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "power_monitor",
      "Monitor of the current of the receiver's supply.")
    setting(
      "kind", &kind, .choice,
      "Kind of the monitor. \"none\": energy is modelled from section gnss. \"hwmon\": a monitor "
        + "chip with a kernel driver, by chip, bus and address or label. \"iio\": the same chips "
        + "under the driver ina2xx-adc. \"i2c\": a chip without a driver, through /dev/i2c-N. "
        + "\"power_supply\": a battery or fuel gauge of the kernel. \"virtual\": the simulated "
        + "monitor of godwit simulate; godwit run refuses it.")
    setting("chip", &chip, .choice, "Monitor chip. Kind \"power_supply\" ignores it.")
    setting(
      "bus", &bus, .optional(.integer(-1...255), noneAt: -1),
      "Number of the I2C bus: 1 for /dev/i2c-1, the bus on the header of a Raspberry Pi. -1: "
        + "any bus, which kind \"i2c\" does not accept.")
    setting(
      "address", &address, .address,
      "Address of the chip on the bus. 0: any, which kind \"i2c\" does not accept.")
    setting(
      "channel", &channel, .integer(1...3),
      "Channel of a chip that has several (ina3221), counted from 1.")
    setting(
      "label", &label, .optional(.text(bytes: 0...64), noneAt: ""),
      "Label of the channel or the monitor in the device tree (in1_label, label); overrides "
        + "channel. Empty: no label.")
    setting(
      "shunt_mOhm", &shunt, .quantity(0.001...100_000),
      "Resistor across which the chip measures: 100 (marked R100) on most breakouts. Readings of a "
        + "driver that assumes another value are corrected. Chips with an internal shunt (ina260) "
        + "and kind \"power_supply\" ignore it.")
    setting(
      "shunt_tolerance_percent", &shuntTolerancePercent, .ratio(0...50),
      "Tolerance of the resistor, in percent of shunt_mOhm: most of the uncertainty.")
    setting(
      "device", &device, .optional(.text(bytes: 0...255), noneAt: ""),
      "Name of the power supply (ls /sys/class/power_supply), or of the device of kind "
        + "\"hwmon\" (hwmon3) or \"iio\" (iio:device0), whose numbers may change between boots. "
        + "Empty: the first battery; for the others chip, bus and address decide.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    var found: [SettingConflict] = []
    func conflict(_ name: String, _ message: String) {
      found.append(SettingConflict(name, because: "kind", message))
    }
    switch kind {
    case .none, .virtual, .powerSupply: return []
    case .hwmon: break
    case .iio:
      if !chip.hasIIODriver {
        conflict(
          "chip", "is not driven by ina2xx-adc; use power_monitor.kind = \"hwmon\" or \"i2c\"")
      }
    case .i2c:
      if bus == nil {
        conflict("bus", "does not name a bus; write its number (1 for /dev/i2c-1)")
      }
      if address == nil {
        conflict("address", "is not a chip's address; write it (i2cdetect -y BUS shows it)")
      }
      if !chip.isReadRaw {
        conflict(
          "chip", "is read through its kernel driver only; use power_monitor.kind = \"hwmon\"")
      }
      if label != nil {
        conflict("label", "needs a kernel driver; write power_monitor.channel instead")
      }
    }
    if channel > chip.channels {
      conflict("channel", "does not exist on an \(chip.rawValue), which has \(chip.channels)")
    }
    return found
  }

  /// For messages: "ina226 at 0x40 on bus 1", with the parts that are set.
  var chipText: String {
    if let device { return device }
    let at = address.map { " at \(BusAddress.text($0))" } ?? ""
    let named = chip.channels == 1 ? label.map { " with label \"\($0)\"" } ?? "" : ""
    return chip.rawValue + at + (bus.map { " on bus \($0)" } ?? "") + named
  }

  /// The driver names under which the chip may appear: chips with the same registers work under
  /// each other's name (`echo ina226 0x40 >new_device`).
  var driverNames: [String] {
    let twin: MonitorChip? =
      switch chip {
      case .ina230, .ina231: .ina226
      case .ina220: .ina219
      case .ina237: .ina238
      case .ina219, .ina226, .ina228, .ina238, .ina260, .ina3221, .ltc2945: nil
      }
    return [chip.rawValue] + (twin.map { [$0.rawValue] } ?? [])
  }

  /// A device that is selected by name may be another chip, whose values would be scaled wrongly.
  func check(isChip name: String, of device: String) throws(PortError) {
    guard !driverNames.contains(name) else { return }
    throw PortError(
      "\(device) (power_monitor.device) is an \(name), not the \(chip.rawValue) of "
        + "power_monitor.chip; correct one of them")
  }

  func accuracy(coarsest: Amperes = 0) -> MonitorAccuracy {
    MonitorAccuracy(chip, shunt: shunt, tolerance: shuntTolerancePercent / 100, coarsest: coarsest)
  }
}
