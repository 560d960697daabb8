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
  /// Settings and data sheets give currents in mA: converted to exactly the same number everywhere.
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
