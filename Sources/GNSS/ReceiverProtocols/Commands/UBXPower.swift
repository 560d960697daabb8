import Core

/// u-blox commands that save power. M8 receiver description (UBX-13003221), chapters
/// "UBX-RXM-PMREQ", "UBX-CFG-PMS" and "UBX-CFG-PM2"; M10 interface description (UBX-21035062),
/// "CFG-PM".
enum UBXPower {
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
  static func backup8(for duration: Seconds?) -> [UInt8] {
    var payload: [UInt8] = []
    payload.append(littleEndian: milliseconds(duration, .ubxBackup8))
    payload.append(littleEndian: backup)
    return UBXCommand.frame(sleepCommand.0, sleepCommand.1, payload)
  }

  /// UBX-RXM-PMREQ of 16 bytes, version 0, not acknowledged: backup and force, ended by the serial
  /// input or EXTINT0. A receiver on USB disappears from the bus, and bytes cannot wake it.
  ///
  /// - Parameter duration: limited to 1 s...12 days; nil sleeps until woken. M10 ignores a request
  ///   without end unless its EXTINT is wired: use a duration.
  static func backup16(for duration: Seconds?) -> [UInt8] {
    var payload: [UInt8] = [0, 0, 0, 0]
    payload.append(littleEndian: milliseconds(duration, .ubxBackup16))
    payload.append(littleEndian: backup | force)
    payload.append(littleEndian: serialInput | extint0)
    return UBXCommand.frame(sleepCommand.0, sleepCommand.1, payload)
  }

  /// Zero means without end.
  private static func milliseconds(_ duration: Seconds?, _ method: SleepMethod) -> UInt32 {
    guard let clamped = method.clamped(duration) else { return 0 }
    return UInt32((clamped.value * 1000).rounded())
  }

  /// UBX-CFG-PMS, M8 from protocol version 18: a predefined setup. Acknowledged.
  enum Preset: UInt8, CaseIterable, Sendable {
    case full = 0
    case balanced = 1
    /// One fix a second.
    case aggressive1Hz = 3
    case aggressive2Hz = 4
    case aggressive4Hz = 5
  }

  static func preset(_ preset: Preset) -> [UInt8] {
    // Period and on-time apply to the interval setup only.
    UBXCommand.frame(0x06, 0x86, [0, preset.rawValue, 0, 0, 0, 0, 0, 0])
  }
}

/// The power-save mode of a u-blox receiver while it delivers fixes: UBX-CFG-PM2 (M8 receiver
/// description), group CFG-PM (M10 interface description).
struct UBXPowerSave: Hashable, Sendable {
  enum Mode: Sendable {
    /// Off between fixes; for periods from several seconds.
    case onOff
    /// Always tracking, with short pauses; for periods of 1 s...10 s.
    case cyclic
  }

  var mode: Mode
  /// The interval between two fixes.
  var updatePeriod: Seconds
  /// The interval until the next search after a failed one.
  var searchPeriod: Seconds
  /// How long it delivers fixes after the first one, in whole seconds.
  var onTime: Seconds
  /// The minimum duration of a search, in whole seconds.
  var minimumSearch: Seconds
  /// Whether it stays on a little longer to receive ephemeris.
  var updatesEphemeris = true
  /// Whether EXTINT, held low, turns it off, and high, keeps it on.
  var followsWakeLine = false

  init(
    mode: Mode, updatePeriod: Seconds, searchPeriod: Seconds, onTime: Seconds = 0,
    minimumSearch: Seconds = 0
  ) {
    self.mode = mode
    self.updatePeriod = updatePeriod
    self.searchPeriod = searchPeriod
    self.onTime = onTime
    self.minimumSearch = minimumSearch
  }

  /// UBX-CFG-PM2, version 2 with 48 bytes: protocol versions 18 to 23. Acknowledged.
  /// `UBXCommand.savesPower` enables the power-save mode itself.
  var extendedPowerManagement: [UInt8] {
    var flags: UInt32 = mode == .cyclic ? 1 << 17 : 0
    if updatesEphemeris { flags |= 1 << 12 }
    if followsWakeLine { flags |= 1 << 5 | 1 << 6 }
    var payload: [UInt8] = [2, 0, 0, 0]
    payload.append(littleEndian: flags)
    payload.append(littleEndian: UBXUnits.milliseconds(updatePeriod))
    payload.append(littleEndian: UBXUnits.milliseconds(searchPeriod))
    payload.append(littleEndian: UInt32(0))
    payload.append(littleEndian: UInt16(Self.whole(onTime, limit: 65_535)))
    payload.append(littleEndian: UInt16(Self.whole(minimumSearch, limit: 65_535)))
    payload += [UInt8](repeating: 0, count: 24)
    return UBXCommand.frame(0x06, 0x3b, payload)
  }

  /// UBX-CFG-VALSET into RAM, M10. The operating mode comes last, because the receiver may switch
  /// off as soon as it is set (MAX-M10 integration manual, "Power save mode").
  var values: [UInt8] {
    var payload = Self.head
    let items: [(key: UInt32, value: UInt32)] = [
      (0x40d0_0002, UInt32(Self.whole(updatePeriod, limit: 4_294_967_295))),
      (0x40d0_0003, UInt32(Self.whole(searchPeriod, limit: 4_294_967_295))),
    ]
    for item in items {
      payload.append(littleEndian: item.key)
      payload.append(littleEndian: item.value)
    }
    payload.append(littleEndian: UInt32(0x30d0_0005))
    payload.append(littleEndian: UInt16(Self.whole(onTime, limit: 65_535)))
    let flags: [(key: UInt32, value: UInt8)] = [
      (0x20d0_0006, UInt8(Self.whole(minimumSearch, limit: 255))),
      (0x10d0_000a, updatesEphemeris ? 1 : 0), (0x10d0_000c, followsWakeLine ? 1 : 0),
      (0x10d0_000d, followsWakeLine ? 1 : 0), (Self.operatingMode, mode == .onOff ? 1 : 2),
    ]
    for flag in flags {
      payload.append(littleEndian: flag.key)
      payload.append(flag.value)
    }
    return UBXCommand.frame(0x06, 0x8a, payload)
  }

  /// UBX-CFG-VALSET into RAM, M10: full power.
  static let fullPower: [UInt8] = {
    var payload = head
    payload.append(littleEndian: operatingMode)
    return UBXCommand.frame(0x06, 0x8a, payload + [0])
  }()

  /// Version 0, layer RAM.
  private static let head: [UInt8] = [0, 1, 0, 0]
  /// CFG-PM-OPERATEMODE.
  private static let operatingMode: UInt32 = 0x20d0_0001

  private static func whole(_ duration: Seconds, limit: Double) -> Int {
    guard duration > 0 else { return 0 }
    return Int(min(duration.value.rounded(), limit))
  }
}
