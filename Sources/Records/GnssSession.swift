import Quantities

/// One time that the receiver was powered: from switch-on to switch-off.
public struct GnssSession: Hashable, Sendable {
  public enum Outcome: String, Sendable, CaseIterable {
    /// Still running.
    case open
    /// It gave what it was switched on for.
    case fixObtained = "fix obtained"
    /// The acquisition time limit passed without an accepted fix.
    case noFix = "no fix"
    /// Switched off by the user, a new setting or the end of the daemon.
    case stopped
    /// The daemon died in it: closed at the next start from what the store knew.
    case interrupted
    /// The receiver or its switch failed.
    case failed
  }

  public var id: Int64
  /// Nil while the date is unknown: a session that never saw the sky.
  public var on: UTCInstant?
  /// Length of time from switch-on to the first accepted fix (TTFF).
  public var timeToFirstFix: Seconds?
  public var off: UTCInstant?
  /// On the board's own clock, known also without a date; nil while open or interrupted.
  public var duration: Seconds?
  public var fixesAccepted: Int
  public var fixesRejected: Int
  public var outcome: Outcome
  /// Measured or modelled, see `energyIsMeasured`.
  public var charge: Coulombs?
  public var energy: Joules?
  public var energyIsMeasured: Bool

  public init(id: Int64, on: UTCInstant?) {
    self.id = id
    self.on = on
    fixesAccepted = 0
    fixesRejected = 0
    outcome = .open
    energyIsMeasured = false
  }
}
