import Core

/// The virtual board's clock, which stands still until it is moved.
public final class VirtualClock {
  public private(set) var now: BootInstant
  /// The true UTC when the board's clock stood at zero. The board itself does not know it.
  public let bootTime: UTCInstant

  init(now: BootInstant = .zero, bootTime: UTCInstant = UTCInstant(nanoseconds: 0)) {
    self.now = now
    self.bootTime = bootTime
  }

  /// Moves forward to `instant`; a moment in the past leaves the clock where it is.
  func advance(to instant: BootInstant) { now = max(now, instant) }

  /// The true civil time at a moment of the board's clock, to the nanosecond.
  public func time(at instant: BootInstant) -> UTCInstant {
    UTCInstant(nanoseconds: bootTime.nanoseconds &+ instant.nanoseconds)
  }

  /// The moment of the board's clock at a true civil time.
  public func instant(at time: UTCInstant) -> BootInstant {
    BootInstant(nanoseconds: time.nanoseconds &- bootTime.nanoseconds)
  }
}
