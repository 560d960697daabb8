import Core

/// The methods to put a receiver to sleep by command. While it sleeps, its supply stays on, and its
/// clock and navigation data are kept.
///
/// No receiver confirms that it sleeps: sleep is verified by silence. Sources: u-blox M8 receiver
/// description (UBX-13003221) "UBX-RXM-PMREQ"; GlobalTop's PMTK command packet A11; Quectel LC29H
/// protocol specification "PAIR650"; CASIC protocol specification "PCAS12".
public enum SleepMethod: String, CaseIterable, Sendable {
  /// UBX-RXM-PMREQ of 16 bytes, with explicit wake sources; from protocol version 18.
  case ubxBackup16
  /// UBX-RXM-PMREQ of 8 bytes.
  case ubxBackup8
  /// `$PMTK161,0`: the processor stops.
  case mtkStandby
  /// `$PMTK225,4`: all but the clock and the backup memory is off.
  case mtkBackup
  /// `$PAIR650`: all but the clock and the backup memory is off.
  case pairSleep
  /// `$PCAS12`: always for a period. Some modules are reported to be woken by bytes, but the
  /// protocol specification does not confirm it: use a period that is acceptable in full.
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

  /// Whether the wake line, if there is one, must be low at the command: otherwise CDTop's PA1010D
  /// wakes again at once (data sheet, 1.9.3 "Backup Mode").
  var requiresWakeLineLow: Bool { self == .mtkBackup }

  /// Whether the configuration since the last start is certainly still valid after waking. If not,
  /// it must be sent again, unless it was saved in the receiver.
  public var keepsConfiguration: Bool { self == .mtkStandby }

  /// The longest sleep that the receiver can time; nil if it has no timer for this method.
  public var maxDuration: Seconds? {
    switch self {
    case .ubxBackup16, .ubxBackup8: .days(12)
    case .mtkStandby, .mtkBackup: nil
    case .pairSleep: 62_208_000
    case .casStandby: 65_535
    }
  }

  /// The shortest sleep; shorter requests are extended to it.
  var minDuration: Seconds { self == .pairSleep ? 10 : 1 }

  /// The time after the command in which output that had begun may still arrive.
  var fallsSilentWithin: Seconds { 2 }

  /// The time after waking in which the receiver may still lose input.
  var settlesWithin: Seconds { 0.5 }

  /// A duration within the receiver's limits, `minDuration...maxDuration`. Nil (until woken) stays
  /// nil, and NaN becomes nil.
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
  /// A separate line: EXTINT (u-blox), FORCE_ON or WAKEUP (MTK, Airoha).
  public static let line = WakeSources(rawValue: 2)
  /// Its own clock, after the period in the sleep command.
  public static let timer = WakeSources(rawValue: 4)
}
