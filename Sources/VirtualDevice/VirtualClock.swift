import Quantities

/// A clock that stands still until somebody moves it: the time of the virtual board.
public final class VirtualClock {
  public private(set) var now: BootInstant

  public init(now: BootInstant = .zero) { self.now = now }

  /// Moves forward to `instant`; a moment in the past leaves the clock where it is.
  public func advance(to instant: BootInstant) { now = max(now, instant) }
}
