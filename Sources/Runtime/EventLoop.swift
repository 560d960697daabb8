import CSystemd
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// The one loop of the daemon: sd-event waits for descriptors, one CLOCK_BOOTTIME timer and
/// signals, and feeds systemd's watchdog. While nothing is due it sleeps.
public final class EventLoop {
  private let loop: OpaquePointer

  public init() throws(EventLoopError) {
    var created: OpaquePointer?
    try check(sd_event_new(&created), "sd_event_new")
    guard let created else { throw EventLoopError(operation: "sd_event_new", code: ENOMEM) }
    loop = created
  }

  deinit { sd_event_unref(loop) }

  /// Runs until `exit`. Returns the exit code.
  public func run() throws(EventLoopError) -> Int32 {
    let code = sd_event_loop(loop)
    try check(code, "sd_event_loop")
    return code
  }

  public func exit(_ code: Int32) { sd_event_exit(loop, code) }

  /// Feeds systemd's watchdog if the unit asks for one (WatchdogSec=). Returns whether it does.
  public func feedWatchdog() throws(EventLoopError) -> Bool {
    let enabled = sd_event_set_watchdog(loop, 1)
    try check(enabled, "sd_event_set_watchdog")
    return enabled > 0
  }

  /// Calls `handler` while the descriptor is readable or has failed.
  public func watch(
    _ descriptor: Int32, handler: @escaping () -> Void
  ) throws(EventLoopError) -> EventSource {
    let source = EventSource(handler: handler)
    try check(
      sd_event_add_io(
        loop, &source.pointer, descriptor, 0x001,  // EPOLLIN
        { _, _, _, context in
          EventSource.from(context).handler()
          return 0
        }, source.context), "sd_event_add_io")
    return source
  }

  /// A timer that is off until `EventSource.set(at:)`.
  public func timer(handler: @escaping () -> Void) throws(EventLoopError) -> EventSource {
    let source = EventSource(handler: handler)
    // Accuracy 0 would mean sd-event's default of 250 ms; 10 ms lets the kernel gather wakes.
    try check(
      sd_event_add_time(
        loop, &source.pointer, CLOCK_BOOTTIME, UInt64.max, 10_000,
        { _, _, context in
          EventSource.from(context).handler()
          return 0
        }, source.context), "sd_event_add_time")
    source.isTimer = true
    source.set(at: nil)
    return source
  }

  public func signal(
    _ number: Int32, handler: @escaping () -> Void
  ) throws(EventLoopError) -> EventSource {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_BLOCK, &set, nil)
    let source = EventSource(handler: handler)
    try check(
      sd_event_add_signal(
        loop, &source.pointer, number,
        { _, _, context in
          EventSource.from(context).handler()
          return 0
        }, source.context), "sd_event_add_signal")
    return source
  }
}

/// Something that the loop waits for. It stops being waited for when the last reference goes.
public final class EventSource {
  let handler: () -> Void
  var pointer: OpaquePointer?
  var isTimer = false

  init(handler: @escaping () -> Void) { self.handler = handler }

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ context: UnsafeMutableRawPointer?) -> EventSource {
    guard let context else { preconditionFailure("sd-event lost a source's context") }
    return Unmanaged<EventSource>.fromOpaque(context).takeUnretainedValue()
  }

  /// Arms the timer for one moment, or switches it off.
  public func set(at instant: BootInstant?) {
    precondition(isTimer)
    guard let instant else {
      sd_event_source_set_enabled(pointer, 0)  // SD_EVENT_OFF
      return
    }
    sd_event_source_set_time(pointer, UInt64(max(0, instant.nanoseconds) / 1000))
    sd_event_source_set_enabled(pointer, -1)  // SD_EVENT_ONESHOT
  }

  /// Leaves a descriptor unwatched for a while, or watches it again.
  public func pause(_ isPaused: Bool) {
    sd_event_source_set_enabled(pointer, isPaused ? 0 : 1)  // SD_EVENT_OFF, SD_EVENT_ON
  }

  deinit {
    sd_event_source_set_enabled(pointer, 0)
    sd_event_source_unref(pointer)
  }
}

public struct EventLoopError: Error, Equatable, Sendable {
  public let operation: String
  /// errno
  public let code: Int32
  public var message: String { "\(operation) failed: \(String(cString: strerror(code)))" }
}

private func check(_ result: Int32, _ operation: String) throws(EventLoopError) {
  if result < 0 { throw EventLoopError(operation: operation, code: -result) }
}
