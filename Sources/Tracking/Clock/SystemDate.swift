import Core

/// What the operating system says of the date: one witness for the receiver's.
public struct SystemDate: Hashable, Sendable {
  public var date: UTCInstant
  /// When it was read.
  public var read: BootInstant
  /// Whether something keeps it right (NTP, PTP, GNSS): the kernel's STA_UNSYNC is clear
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

  /// What it says of a receiver's date.
  func opinion(on claim: UTCInstant, received: BootInstant) -> DateAgreement {
    let ahead = claim - (date + (received - read))
    if ahead.magnitude <= DateAgreement.tolerance { return .agrees }
    if isSynchronized { return .contradicts }
    // A clock that nothing sets goes on from where it was stopped (fake-hwclock, systemd-timesyncd)
    // or from where a battery has let it drift. One that is ahead by years holds what was in a
    // real-time clock's registers when its battery came in: it knows nothing.
    return ahead > DateAgreement.maxStandstill ? .contradicts : .silent
  }
}

/// What a witness says of a date.
enum DateAgreement: Hashable, Sendable {
  case agrees, contradicts, silent

  /// Witnesses agree within a day: time zones and drifting clocks are no contradiction.
  static let tolerance = Seconds.days(1)
  /// A board lies without power for years, but not for as long as one of GPS's week counters runs
  /// (1024 weeks), by which receivers are wrong.
  static let maxStandstill = Seconds.days(5 * 365)
}
