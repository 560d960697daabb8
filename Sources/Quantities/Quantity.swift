/// A measured number whose type is its unit, so that metres and seconds cannot be mixed up.
///
/// Every conforming type is one `Double` in SI units (degrees for angles, because receivers, maps
/// and settings all use degrees).
public protocol Quantity: Hashable, Comparable, Sendable, CustomStringConvertible,
  ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral
{
  /// The number, in the type's unit.
  var value: Double { get set }
  init(_ value: Double)
  /// The unit's symbol, for messages: "m", "s", "A".
  static var symbol: String { get }
}

extension Quantity {
  @inlinable public init(floatLiteral value: Double) { self.init(value) }
  @inlinable public init(integerLiteral value: Int) { self.init(Double(value)) }
  @inlinable public static var zero: Self { Self(0) }
  @inlinable public var isFinite: Bool { value.isFinite }
  @inlinable public var magnitude: Self { Self(value.magnitude) }
  public var description: String { "\(value) \(Self.symbol)" }

  @inlinable public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
  // Comparable would derive these from `<`, and then `NaN <= 90` would hold.
  @inlinable public static func <= (a: Self, b: Self) -> Bool { a.value <= b.value }
  @inlinable public static func > (a: Self, b: Self) -> Bool { a.value > b.value }
  @inlinable public static func >= (a: Self, b: Self) -> Bool { a.value >= b.value }
  @inlinable public static func + (a: Self, b: Self) -> Self { Self(a.value + b.value) }
  @inlinable public static func - (a: Self, b: Self) -> Self { Self(a.value - b.value) }
  @inlinable public static prefix func - (a: Self) -> Self { Self(-a.value) }
  @inlinable public static func * (a: Self, k: Double) -> Self { Self(a.value * k) }
  @inlinable public static func * (k: Double, a: Self) -> Self { Self(a.value * k) }
  @inlinable public static func / (a: Self, k: Double) -> Self { Self(a.value / k) }
  /// The ratio of two like quantities has no unit.
  @inlinable public static func / (a: Self, b: Self) -> Double { a.value / b.value }
  @inlinable public static func += (a: inout Self, b: Self) { a.value += b.value }
  @inlinable public static func -= (a: inout Self, b: Self) { a.value -= b.value }
}
