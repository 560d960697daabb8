import Quantities

/// Civil time on a board that may have none: the difference between UTC and the board's clock,
/// learnt from the receiver.
///
/// A board without a real-time clock starts in 1970, so the system's date counts only until the
/// first fix tells a better one, and only if it is not before `floor`.
public struct CivilClock: Hashable, Sendable {
  private var nanosecondsAhead: Int64?
  /// Whether a receiver's time, and not the system's, stands behind `utc(at:)`.
  public private(set) var isFromReceiver = false

  public init() {}

  public mutating func systemDate(_ date: UTCInstant?, at now: BootInstant) {
    guard let date, !isFromReceiver else { return }
    nanosecondsAhead = date.nanoseconds &- now.nanoseconds
  }

  public mutating func receiverTime(_ time: UTCInstant, at received: BootInstant) {
    nanosecondsAhead = time.nanoseconds &- received.nanoseconds
    isFromReceiver = true
  }

  /// Nil while nothing plausible is known.
  public func utc(at instant: BootInstant) -> UTCInstant? {
    nanosecondsAhead.map { UTCInstant(nanoseconds: instant.nanoseconds &+ $0) }
  }
}
