import Core

/// A value with its 95 % interval.
public struct Estimate<Value: Quantity>: Hashable, Sendable {
  public let value: Value
  /// Ends of the interval, from scatter between observations and the monitor's limits together.
  public let low: Value
  public let high: Value
  /// Half the width of the 95 % interval of the scatter alone: decreases with more observations.
  public let scatter: Value
  /// Standard uncertainty common to all observations, from shunt, gain and offset: it does not.
  public let systematic: Value
  /// The number of segments or starts.
  public let count: Int

  /// Half the width of the interval, as a share of the value.
  public var relativeHalfWidth: Double { (high - low) * 0.5 / value }
}

/// The result for one parameter.
public enum Finding<Value: Quantity>: Hashable, Sendable {
  case determined(Estimate<Value>)
  /// Only an upper limit.
  case atMost(Value, because: String)
  case undetermined(because: String)

  var estimate: Estimate<Value>? {
    guard case .determined(let estimate) = self else { return nil }
    return estimate
  }
}
