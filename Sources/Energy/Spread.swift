import Quantities

/// Mean, spread and extremes of a series (Welford, Technometrics 4 (1962) 419).
public struct Spread<Value: Quantity>: Sendable {
  public private(set) var count = 0
  public private(set) var minimum: Value?
  public private(set) var maximum: Value?
  private var average = 0.0
  private var squares = 0.0
  private var previous = 0.0
  private var squaredSteps = 0.0

  public init() {}

  public mutating func take(_ value: Value) {
    count += 1
    let distance = value.value - average
    average += distance / Double(count)
    squares += distance * (value.value - average)
    if count > 1 { squaredSteps += (value.value - previous) * (value.value - previous) }
    previous = value.value
    minimum = minimum.map { min($0, value) } ?? value
    maximum = maximum.map { max($0, value) } ?? value
  }

  public var mean: Value? { count > 0 ? Value(average) : nil }

  public var standardDeviation: Value? {
    count > 1 ? Value((squares / Double(count - 1)).squareRoot()) : nil
  }

  public var peakToPeak: Value? {
    guard let minimum, let maximum else { return nil }
    return maximum - minimum
  }

  /// s / √n, with s from the steps between neighbours (von Neumann, 1941): a drift is not noise.
  public var uncertaintyOfMean: Value? {
    guard count > 1 else { return nil }
    let variance = squaredSteps / Double(2 * (count - 1))
    return Value((variance / Double(count)).squareRoot())
  }
}
