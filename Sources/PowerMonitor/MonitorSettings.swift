import MonitorProtocols
import Ports
import Quantities

/// Which monitor is meant and across what it measures: section power_monitor of the settings.
public struct MonitorSettings: Equatable, Sendable {
  public var chip: MonitorChip
  /// Nil: any bus.
  public var bus: Int?
  /// Nil: any address.
  public var address: Int?
  /// From 1.
  public var channel: Int
  /// Nil: the channel's number counts.
  public var label: String?
  public var shunt: Ohms
  /// Largest relative error of the shunt.
  public var shuntTolerance: Double
  /// Name of the device instead of chip, bus and address.
  public var device: String?
  /// What stands in where nothing measures the voltage.
  public var nominalSupply: Volts

  public init(
    chip: MonitorChip = .ina226, bus: Int? = nil, address: Int? = 0x40, channel: Int = 1,
    label: String? = nil, shunt: Ohms = 0.1, shuntTolerance: Double = 0.01, device: String? = nil,
    nominalSupply: Volts = 3.3
  ) {
    self.chip = chip
    self.bus = bus
    self.address = address
    self.channel = channel
    self.label = label
    self.shunt = shunt
    self.shuntTolerance = shuntTolerance
    self.device = device
    self.nominalSupply = nominalSupply
  }

  /// "ina226 at 0x40 on bus 1", as far as it is set.
  var place: String {
    if let device { return device }
    let at = address.map { " at \(BusAddress.text($0))" } ?? ""
    let named = chip.channels == 1 ? label.map { " with label \"\($0)\"" } ?? "" : ""
    return chip.rawValue + at + (bus.map { " on bus \($0)" } ?? "") + named
  }

  /// Under which names a driver may show the chip: those with the same registers run under each
  /// other's (`echo ina226 0x40 >new_device`).
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

  /// A device that is asked for by its own name may be another chip, whose values would be scaled
  /// wrongly.
  func check(isChip name: String, of device: String) throws(PowerMonitorError) {
    guard !driverNames.contains(name) else { return }
    throw PowerMonitorError(
      "\(device) (power_monitor.device) is an \(name), not the \(chip.rawValue) of "
        + "power_monitor.chip; set one of them right")
  }

  func accuracy(coarsest: Amperes = 0) -> MonitorAccuracy {
    MonitorAccuracy(chip, shunt: shunt, tolerance: shuntTolerance, coarsest: coarsest)
  }
}
