/// UBX-MON-VER: which software runs on which chip. M8 receiver description, "UBX-MON-VER".
public struct UBXVersion: Hashable, Sendable {
  /// "ROM CORE 3.01 (107888)".
  public let software: String
  /// "00080000".
  public let hardware: String
  /// "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0", "GPS;GLO;GAL;BDS".
  public let extensions: [String]

  public init(software: String, hardware: String, extensions: [String]) {
    self.software = software
    self.hardware = hardware
    self.extensions = extensions
  }

  /// u-blox 7 writes "PROTVER 14.00", later ones "PROTVER=18.00". u-blox 6 does not tell.
  public var protocolVersion: UBXProtocolVersion? {
    let text = value(of: "PROTVER=") ?? value(of: "PROTVER ")
    return text.flatMap { UBXProtocolVersion($0) }
  }

  public var firmware: String? { value(of: "FWVER=") }
  public var module: String? { value(of: "MOD=") }

  private func value(of key: String) -> String? {
    extensions.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
  }

  /// As gpsd passes it on: "SW ROM CORE 3.01 (107888),HW 00080000" and the extensions. Nil when
  /// gpsd has not learnt it.
  init?(_ device: GpsdDevice) {
    let parts = (device.subtype ?? "").split(separator: ",")
    guard let software = parts.first(where: { $0.hasPrefix("SW ") })?.dropFirst(3),
      let hardware = parts.first(where: { $0.hasPrefix("HW ") })?.dropFirst(3)
    else { return nil }
    self.init(
      software: String(software), hardware: String(hardware),
      extensions: (device.subtype1 ?? "").split(separator: ",").map(String.init))
  }
}

extension ReceiverFamily {
  /// By the version of u-blox's chip; M9 and F9 share one, and their protocols differ. Nil for a
  /// chip that is not known here.
  init?(ubxHardware: String, version: UBXProtocolVersion?) {
    switch ubxHardware.prefix(8) {
    case "00040006", "00040007": self = .ublox6
    case "00070000": self = .ublox7
    case "00080000": self = .ubloxM8
    case "00190000": self = version?.major == 32 ? .ubloxM9 : .ubloxF9
    case "000A0000": self = .ubloxM10
    default: return nil
    }
  }
}
