/// The result of a check for messages that were handed over and not acknowledged.
public struct Resending: Equatable, Sendable {
  /// How many messages wait again.
  public var count: Int
  /// Number of such checks since the last acknowledgement.
  public var attempts: Int
  /// The collector has acknowledged less than before, for long enough: it gets everything anew.
  public var hasLostRecords: Bool

  public init(count: Int = 0, attempts: Int = 0, hasLostRecords: Bool = false) {
    self.count = count
    self.attempts = attempts
    self.hasLostRecords = hasLostRecords
  }
}
