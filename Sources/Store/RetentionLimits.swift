import Quantities

/// How much the store keeps.
public struct RetentionLimits: Hashable, Sendable {
  /// Everything that ended longer ago than this goes; nil keeps it for ever.
  public var age: Seconds?
  /// Most track points; nil for any number. Sessions, events and measurements older than the oldest
  /// point that is kept go with it, visits stay.
  public var points: Int?
  /// Bytes that shall stay free on the disk; nil for no care. When there are fewer, the store stops
  /// growing: the oldest records make room for new ones.
  public var minimumFree: Int?

  public init(age: Seconds? = nil, points: Int? = nil, minimumFree: Int? = nil) {
    self.age = age
    self.points = points
    self.minimumFree = minimumFree
  }
}

/// What a round of retention deleted.
public struct RetentionReport: Hashable, Sendable {
  public var trackPoints = 0
  public var visits = 0
  public var destinations = 0
  /// Sessions, events, coarse observations and power segments.
  public var others = 0

  public var isEmpty: Bool { self == RetentionReport() }
}
