/// Up to where somebody has read a store's log of changes, and whether a store that has the same
/// path later goes on from there.
public struct ChangeLogPosition: Hashable, Sendable {
  /// Made when the log was begun.
  public var log: String
  /// The newest mark of an opening; nil: the store has none.
  public var opening: UInt32?
  /// The last change.
  public var change: Int64

  public init(log: String, opening: UInt32?, change: Int64) {
    self.log = log
    self.opening = opening
    self.change = change
  }
}
