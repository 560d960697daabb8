import Core

/// A value with its 95 % interval.
public struct Estimate<Value: Quantity>: Hashable, Sendable {
  public let value: Value
  /// Ends of the interval, from the scatter between observations and the monitor's limits together.
  public let low: Value
  public let high: Value
  /// Half the width of the 95 % interval of the scatter alone: it shrinks with more observations.
  public let scatter: Value
  /// Standard uncertainty that all observations share, from shunt, gain and offset: it does not.
  public let systematic: Value
  /// How many segments or starts it rests on.
  public let count: Int

  /// Half the width of the interval, as a share of the value.
  public var relativeHalfWidth: Double { (high - low) * 0.5 / value }
}

/// What the data tells of one parameter.
public enum Finding<Value: Quantity>: Hashable, Sendable {
  case told(Estimate<Value>)
  /// Only that it is not larger.
  case atMost(Value, because: String)
  case untold(because: String)

  public var estimate: Estimate<Value>? {
    guard case .told(let estimate) = self else { return nil }
    return estimate
  }
}
