import Platform
import Core

/// A clock that tests can advance.
public final class TestClock {
  public var ahead = Seconds(0)

  public init() {}

  public var now: BootInstant { BootClock.now + ahead }
}
