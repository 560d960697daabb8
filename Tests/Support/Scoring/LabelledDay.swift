import Formats
import Quantities

/// A stretch of time.
public struct Interval: Hashable, Sendable {
  public var start: UTCInstant
  public var end: UTCInstant

  public init(_ start: UTCInstant, _ end: UTCInstant) {
    self.start = start
    self.end = max(start, end)
  }

  public var length: Seconds { end - start }

  public func overlap(_ other: Interval) -> Seconds {
    max(.zero, min(end, other.end) - max(start, other.start))
  }

  /// Intersection over union: 1 for equal intervals, 0 for disjoint ones.
  public func agreement(_ other: Interval) -> Double {
    let common = overlap(other).value
    let union = length.value + other.length.value - common
    return union > 0 ? common / union : 0
  }
}

/// A trace with what really happened.
public struct LabelledDay: Sendable {
  public var name: String
  public var samples: [TraceSample]
  /// Stays that a detector has to find.
  public var stays: [Interval]
  /// Where the truth is unknown, or where a stay is debatable: no reward and no punishment.
  public var unscored: [Interval]
  /// Where the labels say that the board moved.
  public var moving: [Interval] = []
}

public enum DataSet: String, Sendable, CaseIterable {
  case utrecht = "utrecht-diary"
  case mobilityNet = "mobilitynet"
}
