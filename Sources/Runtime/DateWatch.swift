import CLinux
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Detects that the system's date was set, for timers elsewhere that depend on it. It uses a timer
/// on that clock which the kernel cancels then (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
public final class DateWatch: Endpoint {
  public let kind = "date"
  public let fruitlessLimit = 20
  public let due: BootInstant? = nil
  private let onSet: () -> Void
  private var descriptor: Int32

  /// If the kernel has no such timer, nothing is detected.
  public init(onSet: @escaping () -> Void) {
    self.onSet = onSet
    descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    if descriptor >= 0, !arm() {
      close(descriptor)
      descriptor = -1
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  public var interest: Interest? { descriptor < 0 ? nil : Interest(descriptor) }

  public func serve(at now: BootInstant, isReady: Bool) -> Served {
    guard isReady else { return Served(isFruitful: false) }
    var expirations: UInt64 = 0
    let count = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
    let isSet = count < 0 && errno == ECANCELED
    guard isSet || count > 0 else { return Served(isFruitful: false) }
    _ = arm()
    if isSet { onSet() }
    return Served(isFruitful: true)
  }

  /// Sets the timer in a hundred years.
  private func arm() -> Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    var time = itimerspec()
    time.it_value.tv_sec = now.tv_sec + 100 * 365 * 86_400
    return timerfd_settime(
      descriptor, Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET), &time, nil)
      == 0
  }
}
