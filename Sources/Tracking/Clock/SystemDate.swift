import Core

/// The operating system's date: one corroborating source for the receiver's.
public struct SystemDate: Hashable, Sendable {
  public var date: UTCInstant
  /// When it was read.
  public var read: BootInstant
  /// Whether the clock is synchronized (NTP, PTP, GNSS): the kernel's STA_UNSYNC is clear
  /// (adjtimex(2)).
  public var isSynchronized: Bool

  public init(date: UTCInstant, read: BootInstant, isSynchronized: Bool) {
    self.date = date
    self.read = read
    self.isSynchronized = isSynchronized
  }

  func utc(at instant: BootInstant) -> UTCInstant {
    UTCInstant(nanoseconds: instant.nanoseconds &+ (date.nanoseconds &- read.nanoseconds))
  }

  /// Compares a receiver's date with this one.
  func compare(on claim: UTCInstant, received: BootInstant) -> DateAgreement {
    let ahead = claim - (date + (received - read))
    if ahead.magnitude <= DateAgreement.tolerance { return .agrees }
    if isSynchronized { return .contradicts }
    // An unsynchronized clock continues from where it was stopped (fake-hwclock, systemd-timesyncd)
    // or has drifted on a battery. One that is years ahead holds the initial register contents of a
    // real-time clock whose battery was new: it carries no information.
    return ahead > DateAgreement.maxStandstill ? .contradicts : .silent
  }
}

/// The result of comparing a date with another source.
enum DateAgreement: Hashable, Sendable {
  case agrees, contradicts, silent

  /// Sources agree within a day: time zones and drifting clocks are no contradiction.
  static let tolerance = Seconds.days(1)
  /// A board may be without power for years, but not for the period of a GPS week counter (1024
  /// weeks), by which receivers are wrong.
  static let maxStandstill = Seconds.days(5 * 365)
}
