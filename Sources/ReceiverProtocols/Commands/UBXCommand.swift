/// Commands and polls in UBX that concern the whole receiver. u-blox 6 receiver description
/// (GPS.G6-SW-10018), M8 (UBX-13003221), M9 and M10 interface descriptions.
public enum UBXCommand {
  /// The payload framed with preamble, class, id, length and checksum.
  static func frame(_ messageClass: UInt8, _ id: UInt8, _ payload: [UInt8] = []) -> [UInt8] {
    var frame = [UBXFrame.firstPreamble, UBXFrame.secondPreamble, messageClass, id]
    frame.append(littleEndian: UInt16(payload.count))
    frame += payload
    let (a, b) = frame[2...].withUnsafeBufferPointer { UBXFrame.checksum($0) }
    frame += [a, b]
    return frame
  }

  /// UBX-MON-VER, poll: who are you?
  public static let pollVersion = frame(0x0a, 0x04)

  /// UBX-CFG-RST with a reset of the GNSS part only, so that ports and rates stay as they are. Not
  /// acknowledged by all: the receiver may restart before it answers.
  public static func restart(_ kind: RestartKind) -> [UInt8] {
    reset(forgetting: forgotten(kind), mode: .gnssOnly)
  }

  /// UBX-CFG-RST with a reset of the whole receiver by software: what is configured in RAM is lost.
  public static func softwareReset(_ kind: RestartKind) -> [UInt8] {
    reset(forgetting: forgotten(kind), mode: .software)
  }

  /// UBX-CFG-RST, controlled stop: the receiver stops searching and tracking but answers; what
  /// UBX-UPD-SOS wants before it saves.
  public static let stopGnss = reset(forgetting: 0, mode: .stop)
  /// UBX-CFG-RST, controlled start, after `stopGnss`.
  public static let startGnss = reset(forgetting: 0, mode: .start)

  /// UBX-CFG-RXM: power save mode as UBX-CFG-PM2 describes it, or continuous tracking. u-blox 6 to
  /// M8; the first byte is reserved and reads 8 ("UBX-CFG-RXM").
  public static func savesPower(_ isOn: Bool) -> [UInt8] { frame(0x06, 0x11, [8, isOn ? 1 : 0]) }

  /// Which parts of the battery-backed memory are cleared: `navBbrMask`.
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
    return frame(0x06, 0x04, payload + [mode.rawValue, 0])
  }
}

extension Array where Element == UInt8 {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    for byte in 0..<value.bitWidth / 8 {
      append(UInt8(truncatingIfNeeded: value >> (8 * byte)))
    }
  }
}
