/// A length or distance in metres.
@frozen public struct Metres: Quantity {
  public var value: Double
  @inlinable public init(_ value: Double) { self.value = value }
  public static var symbol: String { "m" }
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

/// A carrier-to-noise density: decibels above one hertz. 20 is hardly heard, 45 is a clear sky.
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
