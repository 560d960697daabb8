/// A supported current monitor, by the name of its kernel driver's device.
public enum MonitorChip: String, Sendable, CaseIterable {
  case ina219, ina220, ina226, ina228, ina230, ina231, ina237, ina238, ina260, ina3221, ltc2945
}

extension MonitorChip {
  /// The number of channels, each with its own shunt.
  public var channels: Int { self == .ina3221 ? 3 : 1 }

  /// Whether the kernel's IIO driver ina2xx-adc drives it (drivers/iio/adc/ina2xx-adc.c).
  public var hasIIODriver: Bool {
    switch self {
    case .ina219, .ina220, .ina226, .ina230, .ina231: true
    case .ina228, .ina237, .ina238, .ina260, .ina3221, .ltc2945: false
    }
  }

  /// Whether Godwit can read its registers without a driver.
  public var isReadRaw: Bool {
    switch self {
    case .ina219, .ina220, .ina226, .ina228, .ina230, .ina231, .ina260, .ina3221: true
    case .ina237, .ina238, .ltc2945: false
    }
  }
}
