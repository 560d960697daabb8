import Platform
import Core

/// A clock that tests put forward.
public final class TestClock {
  public var ahead = Seconds(0)

  public init() {}

  public var now: BootInstant { BootClock.now + ahead }
}
