import Ports
import CSystemd
import Platform
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The daemon's only loop: sd-event waits for descriptors, CLOCK_BOOTTIME timers and signals, and
/// sleeps while nothing is due.
public final class EventLoop {
  private let loop: OpaquePointer
  /// The number of wakes.
  private(set) var wakeups = 0
  /// Called at every wake, before its cause is handled.
  var awake: () -> Void = {}

  public init() throws(PortError) {
    var created: OpaquePointer?
    try check(sd_event_new(&created), "sd_event_new")
    guard let created else { throw failure(ENOMEM, "sd_event_new") }
    loop = created
  }

  deinit { sd_event_unref(loop) }

  /// Runs until `exit`. Returns the exit code.
  public func run() throws(PortError) -> Int32 {
    // The steps of sd_event_loop(3), so that each wait can be counted.
    while sd_event_get_state(loop) != Int32(SD_EVENT_FINISHED) {
      var pending = sd_event_prepare(loop)
      try check(pending, "sd_event_prepare")
      if pending == 0 {
        pending = sd_event_wait(loop, UInt64.max)
        try check(pending, "sd_event_wait")
        wakeups += 1
        awake()
      }
      if pending > 0 { try check(sd_event_dispatch(loop), "sd_event_dispatch") }
    }
    var code: Int32 = 0
    try check(sd_event_get_exit_code(loop, &code), "sd_event_get_exit_code")
    return code
  }

  public func exit(_ code: Int32) { sd_event_exit(loop, code) }

  /// Calls `handler` while the descriptor is readable (see `EventSource.expect`) or has failed.
  func watch(
    _ descriptor: Int32, handler: @escaping () -> Void
  ) throws(PortError) -> EventSource {
    let source = EventSource(handler: handler)
    try check(
      sd_event_add_io(
        loop, &source.pointer, descriptor, EventSource.epollIn,
        { _, _, _, context in
          EventSource.from(context).handler()
          return 0
        }, source.context), "sd_event_add_io")
    return source
  }

  /// A timer that is off until `EventSource.set(at:)`.
  ///
  /// - Parameter accuracy: how much later it may come, so that it shares a wake with others. Zero
  ///   would mean sd-event's default of 250 ms.
  public func timer(
    accuracy: Seconds = 0.01, handler: @escaping () -> Void
  ) throws(PortError) -> EventSource {
    let source = EventSource(handler: handler)
    try check(
      sd_event_add_time(
        loop, &source.pointer, CLOCK_BOOTTIME, UInt64.max, UInt64(accuracy.value * 1e6),
        { _, _, context in
          EventSource.from(context).handler()
          return 0
        }, source.context), "sd_event_add_time")
    source.isTimer = true
    source.set(at: nil)
    return source
  }

  /// Blocks signals, so that the loop receives them as events.
  static func blockSignals(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  public func signal(
    _ number: Int32, handler: @escaping () -> Void
  ) throws(PortError) -> EventSource {
    Self.blockSignals([number])
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

/// Something that the loop waits for, until the last reference is released.
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

  /// Arms the timer for one instant, or disarms it.
  public func set(at instant: BootInstant?) {
    precondition(isTimer)
    guard let instant else {
      sd_event_source_set_enabled(pointer, 0)  // SD_EVENT_OFF
      return
    }
    sd_event_source_set_time(pointer, UInt64(max(0, instant.nanoseconds) / 1000))
    sd_event_source_set_enabled(pointer, -1)  // SD_EVENT_ONESHOT
  }

  /// Pauses or resumes watching a descriptor.
  func pause(_ isPaused: Bool) {
    sd_event_source_set_enabled(pointer, isPaused ? 0 : 1)  // SD_EVENT_OFF, SD_EVENT_ON
  }

  /// Waits for input, for room for output, or for neither.
  func expect(reads: Bool, writes: Bool) {
    let events = (reads ? Self.epollIn : 0) | (writes ? Self.epollOut : 0)
    if events != 0 { sd_event_source_set_io_events(pointer, events) }
    pause(events == 0)
  }

  // epoll_ctl(2); Glibc's enumeration cannot be used as a constant.
  fileprivate static let epollIn: UInt32 = 0x001
  private static let epollOut: UInt32 = 0x004

  /// Ends the watch even if references remain; the loop keeps one while the handler runs.
  ///
  /// A closed descriptor's number may be reused: a later removal would take the new one from epoll.
  func end() {
    guard let pointer else { return }
    sd_event_source_set_enabled(pointer, 0)
    sd_event_source_unref(pointer)
    self.pointer = nil
  }

  deinit { end() }
}

private func check(_ result: Int32, _ operation: String) throws(PortError) {
  if result < 0 { throw failure(-result, operation) }
}

/// - Parameter code: errno
private func failure(_ code: Int32, _ operation: String) -> PortError {
  PortError("\(operation) failed: \(SystemError(code: code).text)")
}
