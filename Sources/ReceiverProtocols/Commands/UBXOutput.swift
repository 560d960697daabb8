/// Which messages a u-blox receiver sends, one for each epoch: set in RAM, so that it is forgotten
/// with the next start.
enum UBXOutput {
  /// A port of the receiver. Which one the host is connected to it cannot tell; what is sent on
  /// another is lost. UART2 often leads to a radio, and is left alone.
  enum Port: UInt32 {
    case uart1 = 1
    /// M10 has none, and refuses to set it.
    case usb = 3
  }

  /// UBX-CFG-MSG for the port that it comes in by, NAV-SAT: protocol versions from 15. M8 receiver
  /// description (UBX-13003221), "UBX-CFG-MSG", "Set message rate".
  static let satellites = rate(of: .navSAT)

  /// The same for NAV-SVINFO, which u-blox 6 and 7 have instead. u-blox 6 receiver description
  /// (GPS.G6-SW-10018), "CFG-MSG".
  static let channels = rate(of: .navSVINFO)

  /// UBX-CFG-VALSET into RAM: CFG-MSGOUT-UBX_NAV_SAT_x = 1, whose keys are 0x20910015 for I2C, then
  /// UART1, UART2, USB and SPI. M9 (UBX-19035940), M10 (UBX-21035062) and F9 (UBX-18010854)
  /// interface descriptions, "CFG-MSGOUT". A message with a key that the receiver does not have is
  /// refused as a whole, so each port gets its own.
  static func satellites(on port: Port) -> [UInt8] {
    var payload: [UInt8] = [0, 1, 0, 0]
    payload.append(littleEndian: 0x2091_0015 + port.rawValue)
    return UBXCommand.frame(0x06, 0x8a, payload + [1])
  }

  private static func rate(of kind: UBXMessage.Kind) -> [UInt8] {
    UBXCommand.frame(
      0x06, 0x01, [UInt8(kind.code >> 8), UInt8(truncatingIfNeeded: kind.code), 1])
  }
}
