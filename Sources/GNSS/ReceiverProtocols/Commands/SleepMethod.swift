import Core

/// The ways to put a receiver to sleep by a command. While it sleeps its supply stays on, and its
/// clock and navigation data are kept.
///
/// No receiver confirms that it sleeps: all of them are verified by their silence. What u-blox
/// writes: M8 receiver description (UBX-13003221) "UBX-RXM-PMREQ"; GlobalTop's PMTK command packet
/// A11; Quectel LC29H protocol specification "PAIR650"; CASIC protocol specification "PCAS12".
public enum SleepMethod: String, CaseIterable, Sendable {
  /// UBX-RXM-PMREQ of 16 bytes, which names its wake sources; from protocol version 18.
  case ubxBackup16
  /// UBX-RXM-PMREQ of 8 bytes.
  case ubxBackup8
  /// `$PMTK161,0`: the processor stops.
  case mtkStandby
  /// `$PMTK225,4`: all but the clock and the backup memory is off.
  case mtkBackup
  /// `$PAIR650`: all but the clock and the backup memory is off.
  case pairSleep
  /// `$PCAS12`: always for a time. That bytes end it sooner is reported of modules, but the
  /// protocol specification does not say so: name a time that can be waited for.
  case casStandby

  public var wakes: WakeSources {
    switch self {
    case .ubxBackup16, .ubxBackup8: [.bytes, .line, .timer]
    case .mtkStandby: [.bytes]
    case .mtkBackup: [.line]
    case .pairSleep: [.line, .timer]
    case .casStandby: [.bytes, .timer]
    }
  }

  /// Whether the wake line, where there is one, has to be low when the command comes: CDTop's
  /// PA1010D is otherwise awake again at once (data sheet, 1.9.3 "Backup Mode").
  public var wantsLineLow: Bool { self == .mtkBackup }

  /// Whether what was configured since the last start is certainly still in force after waking.
  /// Otherwise it has to be sent again unless it was saved in the receiver.
  public var keepsConfiguration: Bool { self == .mtkStandby }

  /// The longest sleep that the receiver can time itself; nil when it has no timer for this sleep.
  public var maxDuration: Seconds? {
    switch self {
    case .ubxBackup16, .ubxBackup8: .days(12)
    case .mtkStandby, .mtkBackup: nil
    case .pairSleep: 62_208_000
    case .casStandby: 65_535
    }
  }

  /// The shortest sleep worth a command; shorter ones are made this long.
  public var minDuration: Seconds { self == .pairSleep ? 10 : 1 }

  /// How long after the command a burst that had begun may still come.
  public var fallsSilentWithin: Seconds { 2 }

  /// How long after waking the receiver may still lose what is sent to it.
  public var settlesWithin: Seconds { 0.5 }

  /// A duration as the receiver can take it: within `minDuration...maxDuration`. Nil, which asks
  /// for sleep until woken, and what is no number stay nil.
  func clamped(_ duration: Seconds?) -> Seconds? {
    guard let duration, !duration.value.isNaN else { return nil }
    return max(minDuration, min(duration, maxDuration ?? duration))
  }
}

/// What ends a receiver's sleep.
public struct WakeSources: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Bytes on its serial input.
  public static let bytes = WakeSources(rawValue: 1)
  /// A line of its own: EXTINT (u-blox), FORCE_ON or WAKEUP (MTK, Airoha).
  public static let line = WakeSources(rawValue: 2)
  /// Its own clock, after the time that the sleep command named.
  public static let timer = WakeSources(rawValue: 4)
}
