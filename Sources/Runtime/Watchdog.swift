import Ports
import Platform
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Sends systemd's watchdog signals (WatchdogSec=) through the daemon's own notice socket.
/// sd-event's feeder would use sd_notify(3), which blocks while nothing reads the socket.
///
/// As there, a signal is sent when the loop is awake anyway and a quarter of the time has passed; a
/// separate wake comes only if nothing else has woken the loop between half and three quarters of
/// it (sd_event_set_watchdog(3)).
final class Watchdog {
  private let limit: Seconds
  private let notices: ServiceNotices
  private var timer: EventSource?
  private var last: BootInstant

  init(
    _ limit: Seconds, notices: ServiceNotices, loop: EventLoop
  ) throws(PortError) {
    self.limit = limit
    self.notices = notices
    last = BootClock.now
    timer = try loop.timer(accuracy: limit * 0.25) { [unowned self] in feed(at: BootClock.now) }
    feed(at: last)
  }

  /// Starts a watchdog that lives as long as the loop, if systemd expects signals.
  ///
  /// - Returns: why none can be given, though they are wanted; nil: all is well.
  static func start(_ notices: ServiceNotices, on loop: EventLoop) throws(PortError) -> String? {
    let period = WatchdogPeriod.read(
      microseconds: variable("WATCHDOG_USEC"), process: variable("WATCHDOG_PID"), own: getpid())
    switch period {
    case .none: return nil
    case .unusable(let why):
      return "\(why); systemd receives no keep-alive messages. Correct WatchdogSec= of the unit"
    case .limit(let limit):
      let watchdog = try Watchdog(limit, notices: notices, loop: loop)
      loop.awake = { watchdog.awake(at: BootClock.now) }
      return nil
    }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Called whenever the loop wakes.
  func awake(at now: BootInstant) {
    if now - last >= limit * 0.25 { feed(at: now) }
  }

  private func feed(at now: BootInstant) {
    notices.sendWatchdog()
    last = now
    timer?.set(at: now + limit * 0.5)
  }
}
