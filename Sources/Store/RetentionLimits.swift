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

  /// No run deletes more than this share of a table: a date or a limit that is wrong is seen before
  /// everything is gone. What is left over goes with the next runs, one a day.
  public static let largestShare = 0.25

  /// The share for a table whose rows come evenly over time: at least one and a half times what
  /// falls due in a day, or a short age would never be reached.
  var share: Double {
    guard let age else { return Self.largestShare }
    return max(Self.largestShare, min(1, 1.5 / (age / .days(1) + 1)))
  }

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
  /// Whether more is due than one run may delete.
  public var isCutShort = false

  public var isEmpty: Bool { self == RetentionReport() }
}
