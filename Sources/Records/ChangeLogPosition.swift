/// A reading position in a store's log of changes. It also shows whether a later store at the same
/// path continues that log.
public struct ChangeLogPosition: Hashable, Sendable {
  /// Generated when the log was created.
  public var log: String
  /// The newest opening mark; nil: the store has none.
  public var opening: UInt32?
  /// The number of the last change.
  public var change: Int64

  public init(log: String, opening: UInt32?, change: Int64) {
    self.log = log
    self.opening = opening
    self.change = change
  }
}
