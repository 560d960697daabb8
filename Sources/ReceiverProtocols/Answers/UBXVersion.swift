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

  /// By the hardware's version; M9 and F9 share one and differ in what they are made for. Nil for a
  /// chip that is not known here.
  public var family: ReceiverFamily? {
    switch hardware.prefix(8) {
    case "00040006", "00040007": .ublox6
    case "00070000": .ublox7
    case "00080000": .ubloxM8
    case "00190000": protocolVersion?.major == 32 ? .ubloxM9 : .ubloxF9
    case "000A0000": .ubloxM10
    default: nil
    }
  }
}
