/// A moment on one of the two time scales. Only moments of the same scale can be compared or
/// subtracted.
public protocol Instant: Hashable, Comparable, Sendable {
  /// Since the epoch of the scale.
  var nanoseconds: Int64 { get }
  init(nanoseconds: Int64)
}

extension Instant {
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  @inlinable public static func + (a: Self, d: Seconds) -> Self {
    Self(nanoseconds: a.nanoseconds &+ d.nanosecondsClamped)
  }
  @inlinable public static func - (a: Self, d: Seconds) -> Self {
    Self(nanoseconds: a.nanoseconds &- d.nanosecondsClamped)
  }
  @inlinable public static func - (a: Self, b: Self) -> Seconds {
    Seconds(Double(a.nanoseconds &- b.nanoseconds) / 1e9)
  }
}

/// A moment on the boot clock: nanoseconds since boot, including suspend (CLOCK_BOOTTIME). All
/// durations and schedules use it. It never jumps, and has no date.
@frozen public struct BootInstant: Instant {
  public var nanoseconds: Int64
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let zero = BootInstant(nanoseconds: 0)

  /// The earlier of two moments, of which either may be nil (never).
  @inlinable public static func earlier(_ a: Self?, _ b: Self?) -> Self? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }
}

extension Seconds {
  /// Whole nanoseconds, limited to ±146 years so that hostile numbers cannot overflow an instant.
  @inlinable public var nanosecondsClamped: Int64 {
    let limit = 4.6e18
    guard value.isFinite else { return value > 0 ? Int64(limit) : (value < 0 ? -Int64(limit) : 0) }
    return Int64(min(max(value * 1e9, -limit), limit).rounded())
  }

  @inlinable public static func minutes(_ n: Double) -> Seconds { Seconds(n * 60) }
  @inlinable public static func hours(_ n: Double) -> Seconds { Seconds(n * 3600) }
  @inlinable public static func days(_ n: Double) -> Seconds { Seconds(n * 86_400) }
}

/// A moment in civil time: nanoseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX
/// time).
///
/// UTC comes from the receiver; a board without a real-time clock boots in 1970. The range is
/// 1678-2262.
@frozen public struct UTCInstant: Instant {
  public var nanoseconds: Int64
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  @inlinable public init(seconds: Double) {
    self.nanoseconds = Seconds(seconds).nanosecondsClamped
  }

  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }
}
