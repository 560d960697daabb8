/// A moment in civil time: nanoseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX
/// time).
///
/// UTC comes from the receiver; a board without a real-time clock boots in 1970. The range is
/// 1678-2262.
@frozen public struct UTCInstant: Hashable, Comparable, Sendable {
  public var nanoseconds: Int64
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  @inlinable public init(seconds: Double) {
    self.nanoseconds = Seconds(seconds).nanosecondsClamped
  }

  @inlinable public var seconds: Double { Double(nanoseconds) / 1e9 }

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
