/// What came of looking for what was handed over and is not acknowledged.
public struct Resending: Equatable, Sendable {
  /// How many messages wait again.
  public var count: Int
  /// How often it was so since anything was acknowledged.
  public var attempts: Int
  /// The collector has acknowledged less, for long enough, than it had before: it gets everything
  /// anew.
  public var hasLostRecords: Bool

  public init(count: Int = 0, attempts: Int = 0, hasLostRecords: Bool = false) {
    self.count = count
    self.attempts = attempts
    self.hasLostRecords = hasLostRecords
  }
}
