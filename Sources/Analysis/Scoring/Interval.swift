import Core

/// A period of time: a true stay, or a visit that was found.
public struct Interval: Hashable, Sendable {
  public var start: UTCInstant
  public var end: UTCInstant
  /// Nil: unknown.
  public var position: Coordinate?
  /// Of a stored visit; nil: a true stay, or a visit of which only the times are known.
  public var claims: VisitClaims?

  public init(
    _ start: UTCInstant, _ end: UTCInstant, at position: Coordinate? = nil,
    claims: VisitClaims? = nil
  ) {
    self.start = start
    self.end = max(start, end)
    self.position = position
    self.claims = claims
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
