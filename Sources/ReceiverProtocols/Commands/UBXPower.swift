import Quantities

/// u-blox commands that save power. M8 receiver description (UBX-13003221), chapters
/// "UBX-RXM-PMREQ", "UBX-CFG-PMS" and "UBX-CFG-PM2"; M10 interface description (UBX-21035062),
/// "CFG-PM".
public enum UBXPower {
  /// UBX-RXM-PMREQ: class and id.
  static let sleepCommand: (UInt8, UInt8) = (0x02, 0x41)

  /// Bit 1 of `flags`: go to backup; bit 2: also while USB is connected, which disconnects USB.
  private static let backup: UInt32 = 1 << 1
  private static let force: UInt32 = 1 << 2
  /// `wakeupSources`: an edge on the serial input (bit 3), on EXTINT0 (bit 5).
  private static let serialInput: UInt32 = 1 << 3
  private static let extint0: UInt32 = 1 << 5

  /// UBX-RXM-PMREQ of 8 bytes, not acknowledged. The receiver wakes at an edge of its serial input
  /// or of EXTINT. Has no effect while USB is connected.
  ///
  /// - Parameter duration: limited to 1 s...12 days; nil sleeps until woken.
  public static func backup8(for duration: Seconds?) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(littleEndian: milliseconds(duration, .ubxBackup8))
    payload.append(littleEndian: backup)
    return UBXCommand.frame(sleepCommand.0, sleepCommand.1, payload)
  }

  /// UBX-RXM-PMREQ of 16 bytes, version 0, not acknowledged: backup and force, to be ended by the
  /// serial input or EXTINT0. A receiver on USB vanishes from the bus, and bytes cannot wake it.
  ///
  /// - Parameter duration: limited to 1 s...12 days; nil sleeps until woken. M10 takes no notice of
  ///   a request without end unless its EXTINT is wired: name a time.
  public static func backup16(for duration: Seconds?) -> [UInt8] {
    var payload: [UInt8] = [0, 0, 0, 0]
    payload.append(littleEndian: milliseconds(duration, .ubxBackup16))
    payload.append(littleEndian: backup | force)
    payload.append(littleEndian: serialInput | extint0)
    return UBXCommand.frame(sleepCommand.0, sleepCommand.1, payload)
  }

  /// Zero stands for no end.
  private static func milliseconds(_ duration: Seconds?, _ method: SleepMethod) -> UInt32 {
    guard let clamped = method.clamped(duration) else { return 0 }
    return UInt32((clamped.value * 1000).rounded())
  }

  /// UBX-CFG-PMS, M8 from protocol version 18: a ready-made setup. Acknowledged.
  public enum Preset: UInt8, CaseIterable, Sendable {
    case full = 0
    case balanced = 1
    /// One fix a second.
    case aggressive1Hz = 3
    case aggressive2Hz = 4
    case aggressive4Hz = 5
  }

  public static func preset(_ preset: Preset) -> [UInt8] {
    // Period and on-time belong to the interval setup alone.
    UBXCommand.frame(0x06, 0x86, [0, preset.rawValue, 0, 0, 0, 0, 0, 0])
  }
}
