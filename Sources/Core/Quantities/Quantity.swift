/// A measured number whose type is its unit, so that metres and seconds cannot be mixed up.
///
/// Every conforming type is one `Double` in SI units. Angles are in degrees, because receivers,
/// maps and settings use degrees.
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
  @inlinable static func * (k: Double, a: Self) -> Self { Self(a.value * k) }
  @inlinable public static func / (a: Self, k: Double) -> Self { Self(a.value / k) }
  /// The ratio of two like quantities has no unit.
  @inlinable public static func / (a: Self, b: Self) -> Double { a.value / b.value }
  @inlinable public static func += (a: inout Self, b: Self) { a.value += b.value }
  @inlinable public static func -= (a: inout Self, b: Self) { a.value -= b.value }
}

/// A length or distance in metres.
@frozen public struct Metres: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "m" }
}

/// An area in square metres.
@frozen public struct SquareMetres: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "m²" }
}

/// A signal power relative to one milliwatt, as radios report it: about -30 dBm next to the
/// transmitter, about -100 dBm at the limit of reception.
@frozen public struct DecibelMilliwatts: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "dBm" }
}

/// A length of time in seconds. Instants are `BootInstant` and `UTCInstant`.
@frozen public struct Seconds: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "s" }
}

/// A speed in metres per second.
@frozen public struct MetresPerSecond: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "m/s" }
}

/// An acceleration in metres per second squared.
@frozen public struct MetresPerSecondSquared: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "m/s²" }
}

/// A carrier-to-noise density ratio (C/N0). 20 dB-Hz is hardly tracked, 45 dB-Hz is open sky.
@frozen public struct DecibelHertz: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "dB-Hz" }
}

/// An angle in degrees: a latitude, a longitude, or a course clockwise from true north.
@frozen public struct Degrees: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "°" }
}

@inlinable public func / (distance: Metres, time: Seconds) -> MetresPerSecond {
  MetresPerSecond(distance.value / time.value)
}
@inlinable public func * (speed: MetresPerSecond, time: Seconds) -> Metres {
  Metres(speed.value * time.value)
}
@inlinable public func / (distance: Metres, speed: MetresPerSecond) -> Seconds {
  Seconds(distance.value / speed.value)
}

/// An electric potential in volts.
@frozen public struct Volts: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "V" }
}

/// An electric current in amperes.
@frozen public struct Amperes: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "A" }
}

extension Amperes {
  /// Settings and data sheets give mA. One conversion gives the same number everywhere.
  @inlinable public init(milliamperes: Double) { self.init(milliamperes / 1000) }
}

/// An electric resistance in ohms.
@frozen public struct Ohms: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "Ω" }
}

/// A power in watts.
@frozen public struct Watts: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "W" }
}

/// An energy in joules.
@frozen public struct Joules: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "J" }
}

/// An electric charge in coulombs. Batteries are sold in mAh: 1 mAh = 3.6 C.
@frozen public struct Coulombs: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "C" }
}

extension Coulombs {
  /// The charge in milliampere-hours.
  @inlinable public var milliampereHours: Double { value / 3.6 }
  @inlinable public init(milliampereHours: Double) { self.init(milliampereHours * 3.6) }
}

@inlinable public func * (current: Amperes, voltage: Volts) -> Watts {
  Watts(current.value * voltage.value)
}
@inlinable public func * (current: Amperes, time: Seconds) -> Coulombs {
  Coulombs(current.value * time.value)
}
@inlinable public func * (power: Watts, time: Seconds) -> Joules {
  Joules(power.value * time.value)
}
@inlinable public func * (charge: Coulombs, voltage: Volts) -> Joules {
  Joules(charge.value * voltage.value)
}
@inlinable public func / (voltage: Volts, resistance: Ohms) -> Amperes {
  Amperes(voltage.value / resistance.value)
}
@inlinable public func / (power: Watts, voltage: Volts) -> Amperes {
  Amperes(power.value / voltage.value)
}
@inlinable public func / (energy: Joules, time: Seconds) -> Watts {
  Watts(energy.value / time.value)
}
@inlinable public func / (charge: Coulombs, time: Seconds) -> Amperes {
  Amperes(charge.value / time.value)
}
