import Core

/// UBX commands and polls for the whole receiver. u-blox 6 receiver description (GPS.G6-SW-10018),
/// M8 (UBX-13003221), M9 and M10 interface descriptions.
enum UBXCommand {
  /// The payload framed with preamble, class, id, length and checksum.
  static func frame(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    var frame = [UBXFrame.firstPreamble, UBXFrame.secondPreamble, messageClass, id]
    frame.append(littleEndian: UInt16(payload.count))
    frame += payload
    let (a, b) = frame[2...].withUnsafeBufferPointer { UBXFrame.checksum($0) }
    frame += [a, b]
    return frame
  }

  /// UBX-CFG-RST: class and id.
  static let resetCommand: (UInt8, UInt8) = (0x06, 0x04)

  /// UBX-MON-VER, poll: queries the version.
  static let pollVersion = frame(0x0a, 0x04)

  /// UBX-CFG-RST with a reset of the GNSS part only, so that ports and rates are kept. Not every
  /// receiver acknowledges it: it may restart before it answers.
  static func restart(_ kind: RestartKind) -> [UInt8] {
    reset(forgetting: forgotten(kind), mode: .gnssOnly)
  }

  /// UBX-CFG-RST with a software reset of the whole receiver: the configuration in RAM is lost.
  static func softwareReset(_ kind: RestartKind) -> [UInt8] {
    reset(forgetting: forgotten(kind), mode: .software)
  }

  /// UBX-CFG-RST, controlled stop: the receiver stops searching and tracking but answers.
  /// UBX-UPD-SOS requires it before saving.
  static let stopGnss = reset(forgetting: 0, mode: .stop)
  /// UBX-CFG-RST, controlled start, after `stopGnss`.
  static let startGnss = reset(forgetting: 0, mode: .start)

  /// UBX-CFG-RXM: power save mode as configured by UBX-CFG-PM2, or continuous tracking. u-blox 6 to
  /// M8; the first byte is reserved and reads 8 ("UBX-CFG-RXM").
  static func savesPower(_ isOn: Bool) -> [UInt8] { frame(0x06, 0x11, [8, isOn ? 1 : 0]) }

  /// The parts of the battery-backed memory to clear: `navBbrMask`.
  private static func forgotten(_ kind: RestartKind) -> UInt16 {
    switch kind {
    case .hot: 0x0000
    case .warm: 0x0001
    case .cold: 0xffff
    }
  }

  private enum ResetMode: UInt8 {
    case software = 1
    case gnssOnly = 2
    case stop = 8
    case start = 9
  }

  private static func reset(forgetting mask: UInt16, mode: ResetMode) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(littleEndian: mask)
    return frame(resetCommand.0, resetCommand.1, payload + [mode.rawValue, 0])
  }
}

extension Array where Element == UInt8 {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for byte in 0..<value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }
}

/// The messages that a u-blox receiver sends in each epoch. Set in RAM, so that the setting is lost
/// at the next start.
enum UBXOutput {
  /// A port of the receiver. The host's port cannot be detected; a setting for another port has no
  /// effect. UART2 often connects a radio, and is not changed.
  enum Port: UInt32 {
    case uart1 = 1
    /// M10 has no USB, and rejects the setting.
    case usb = 3
  }

  /// UBX-CFG-MSG for the port on which it is received, NAV-SAT: protocol versions from 15. M8
  /// receiver description (UBX-13003221), "UBX-CFG-MSG", "Set message rate".
  static let satellites = rate(of: .navSAT)

  /// The same for NAV-SVINFO, which u-blox 6 and 7 have instead. u-blox 6 receiver description
  /// (GPS.G6-SW-10018), "CFG-MSG".
  static let channels = rate(of: .navSVINFO)

  /// UBX-CFG-VALSET into RAM: CFG-MSGOUT-UBX_NAV_SAT_x = 1, whose keys are 0x20910015 for I2C, then
  /// UART1, UART2, USB and SPI. M9 (UBX-19035940), M10 (UBX-21035062) and F9 (UBX-18010854)
  /// interface descriptions, "CFG-MSGOUT". A receiver rejects a whole message with an unknown key,
  /// so that each port has its own message.
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

/// Quantities as integers in UBX's units, limited to the valid range.
enum UBXUnits {
  /// 1e-7 degrees.
  static func angle(_ angle: Degrees) -> Int32 { scaled(angle.value, 1e7, 1_800_000_000) }

  static func centimetres(_ length: Metres) -> Int32 { scaled(length.value, 100, 5_000_000) }

  /// Centimetres, limited to 1 cm...40,000 km; NaN counts as the worst.
  static func accuracy(_ length: Metres) -> UInt32 {
    UInt32((length.value.isNaN ? 4e7 : max(0.01, min(length.value, 4e7))) * 100)
  }

  /// Limited to 1 ms...18 h; NaN counts as the worst.
  static func split(_ accuracy: Seconds) -> (seconds: UInt16, nanoseconds: UInt32) {
    guard accuracy > 0.001 else { return accuracy.value.isNaN ? (.max, 0) : (0, 1_000_000) }
    guard accuracy < Seconds(Double(UInt16.max)) else { return (.max, 0) }
    let whole = accuracy.value.rounded(.down)
    return (UInt16(whole), UInt32((accuracy.value - whole) * 1e9))
  }

  /// Whole milliseconds, limited to 32 bits.
  static func milliseconds(_ duration: Seconds) -> UInt32 {
    guard duration > 0 else { return 0 }
    return UInt32(min((duration.value * 1000).rounded(), 4_294_967_295))
  }

  private static func scaled(_ value: Double, _ scale: Double, _ limit: Double) -> Int32 {
    guard !value.isNaN else { return 0 }
    return Int32(max(-limit, min((value * scale).rounded(), limit)))
  }
}
