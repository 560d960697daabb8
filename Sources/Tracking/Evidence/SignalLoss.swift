import Core
import Records

/// Fix attempts without a location: since when the signal has been lost, and whether that is too
/// long for anything but a rest.
struct SignalLoss: Sendable {
  /// A lost signal is first taken for a tunnel. Three minutes are 5 km of railway at 30 m/s.
  private static let tunnel: Seconds = 180
  /// At the speed of a train (15 m/s), the metal of the vehicle may block signals for longer.
  private static let (ride, train): (Seconds, MetresPerSecond) = (480, 15)
  /// A receiver that is left on reports every second; failed attempts are evaluated this often.
  private static let minAttemptGap: Seconds = 20

  /// Since when there has been no signal, at a place where this is unusual.
  private(set) var since: BootInstant?
  /// The last fix attempt without a location.
  private(set) var lastAttempt: BootInstant?
  /// Whether the last attempt had no signal and was expensive: the receiver does not report
  /// reception.
  private(set) var isWithoutReception = false

  /// - Parameter sky: the reception; nil: the receiver does not report it.
  /// - Returns: whether the attempt shows that there is no signal.
  mutating func attemptFailed(_ sky: SignalQuality?, at now: BootInstant) -> Bool {
    if let lastAttempt, now - lastAttempt < Self.minAttemptGap { return false }
    lastAttempt = now
    guard sky != .good else { return false }
    isWithoutReception = sky == nil
    return true
  }

  /// The lack of signal is unusual here: it began then, if not before.
  mutating func begin(at start: BootInstant) { since = since ?? start }

  /// Whether a board that moved at this speed before has come to rest.
  func meansRest(after speed: MetresPerSecond, at now: BootInstant) -> Bool {
    guard let since else { return false }
    return now - since >= (speed < Self.train ? Self.tunnel : Self.ride)
  }

  /// The lack of signal is usual here, or has a known cause.
  mutating func end() { since = nil }

  mutating func located() {
    isWithoutReception = false
    since = nil
  }
}
