/// The UBX messages that are answers and not part of an epoch.
extension ReceiverAnswer {
  /// Nil if the message is a command of another program, or is not used.
  init?(_ message: UBXMessage) {
    switch message.kind {
    case .ackAck, .ackNak:
      self = .ubxAcknowledgement(
        UBXAcknowledgement(
          isAccepted: message.kind == .ackAck, messageClass: message.u8(0),
          messageID: message.u8(1)))
    case .monVER: self = .ubxVersion(UBXVersion(message))
    case .monRXR: self = .ubxReadiness(isAwake: message.u8(0) & 1 == 1)
    case .updSOS:
      guard let backup = NavigationDataBackup(message) else { return nil }
      self = .navigationDataBackup(backup)
    case .mgaACK:
      self = .assistance(
        AssistanceAcknowledgement(
          isUsed: message.u8(0) == 1, reason: message.u8(2), messageID: message.u8(3)))
    case .mgaDBD:
      guard let data = NavigationDataMessage(payload: Array(message.payload)) else { return nil }
      self = .navigationData(data)
    case .infNOTICE: self = .notice(AnswerText.printable(message.payload))
    default: return nil
    }
  }
}

extension UBXVersion {
  /// Larger than the number of any receiver's extensions; further ones are left out.
  private static let maxExtensions = 24

  init(_ message: UBXMessage) {
    let text = { (range: Range<Int>) in AnswerText.printable(message.payload[range]) }
    let count = min((message.payload.count - 40) / 30, Self.maxExtensions)
    self.init(
      software: text(0..<30), hardware: text(30..<40),
      extensions: (0..<count).map { text(40 + 30 * $0..<70 + 30 * $0) }.filter { !$0.isEmpty })
  }
}

extension NavigationDataBackup {
  init?(_ message: UBXMessage) {
    guard message.payload.count >= 8 else { return nil }
    switch (message.u8(0), message.u8(4)) {
    case (2, 0): self = .notSaved
    case (2, 1): self = .saved
    case (3, 0): self = .unknown
    case (3, 1): self = .restoringFailed
    case (3, 2): self = .restored
    case (3, 3): self = .nothingToRestore
    default: return nil
    }
  }
}

/// UBX-MON-VER: the software and the chip. M8 receiver description, "UBX-MON-VER".
public struct UBXVersion: Hashable, Sendable {
  /// "ROM CORE 3.01 (107888)".
  let software: String
  /// "00080000".
  let hardware: String
  /// "FWVER=SPG 3.01", "PROTVER=18.00", "MOD=NEO-M8N-0", "GPS;GLO;GAL;BDS".
  let extensions: [String]

  /// u-blox 7 writes "PROTVER 14.00", later ones "PROTVER=18.00". u-blox 6 does not report it.
  var protocolVersion: UBXProtocolVersion? {
    let text = value(of: "PROTVER=") ?? value(of: "PROTVER ")
    return text.flatMap { UBXProtocolVersion($0) }
  }

  var firmware: String? { value(of: "FWVER=") }
  var module: String? { value(of: "MOD=") }

  private func value(of key: String) -> String? {
    extensions.first { $0.hasPrefix(key) }.map { String($0.dropFirst(key.count)) }
  }
}

extension UBXVersion {
  /// As reported by gpsd: "SW ROM CORE 3.01 (107888),HW 00080000" and the extensions. Nil if gpsd
  /// does not have it yet.
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
  /// From u-blox's chip version; M9 and F9 have the same one, and are distinguished by the protocol
  /// version. Nil for an unknown chip.
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

/// The version of u-blox's protocol that a receiver supports: "34.10".
public struct UBXProtocolVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let major: Int
  /// Two digits: 10 in "34.10", and in "34.1" too.
  public let minor: Int

  init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Nil if the text is not a version.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy({ (1...3).contains($0.utf8.count) }),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), let minor = Int(parts.count == 2 ? parts[1] : "0")
    else { return nil }
    self.init(major, parts.count == 2 && parts[1].utf8.count == 1 ? minor * 10 : minor)
  }

  public var description: String { "\(major).\(minor < 10 ? "0" : "")\(minor)" }

  public static func < (a: Self, b: Self) -> Bool { (a.major, a.minor) < (b.major, b.minor) }
}
