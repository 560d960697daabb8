import Quantities

/// From one moment to another; open where there is none.
public struct TimeRange: Hashable, Sendable {
  /// Included.
  public var from: UTCInstant?
  /// Not included any more.
  public var to: UTCInstant?

  public static let all = TimeRange()

  public init(from: UTCInstant? = nil, to: UTCInstant? = nil) {
    self.from = from
    self.to = to
  }
}
