import CSystemd
import Platform
import Ports
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// Events on the bus.
public enum BusEvent {
  /// There is no bus, or none any more; all calls and signals are void. Reported once, until there
  /// is a bus again.
  case unavailable(String)
  /// Whether the service is there: reported after connecting, and whenever it appears or
  /// disappears. Calls to a service that has gone are void: neither an answer nor a refusal comes.
  case service(isThere: Bool)
  case answer(BusMessage, tag: Int)
  case refusal(BusRefusal, tag: Int)
  case signal(BusMessage, tag: Int)
  /// The service calls an object of this program.
  case request(BusRequest)
}

/// A connection to the system bus on behalf of one service there.
///
/// Nothing in it blocks: `interest` and `due` say when `next` has work. sd-bus itself waits with
/// inotify for a socket that is not there yet (sd_bus_set_watch_bind(3)); a bus that does not
/// answer, or refuses, is tried again, less and less often. Timeouts are kept here rather than by
/// sd-bus, on the clock that also counts while the board sleeps.
public final class BusConnection {
  /// Timeout for the bus to accept this program, and for a service to answer.
  static let answerLimit = Seconds(20)
  static let firstPause = Seconds(5)
  static let maxPause = Seconds.hours(1)
  /// A connection that lasted longer resets the retry pause.
  static let stableTime = Seconds.minutes(5)
  /// Messages handled in one step.
  static let maxSteps = 64
  static let maxCalls = 32

  private enum Phase {
    case closed(until: BootInstant)
    /// The socket is not there; its folder is watched.
    case absent
    case connecting(until: BootInstant)
    case ready(since: BootInstant)
  }

  let service: String
  let address: String
  private let now: () -> BootInstant
  private var phase = Phase.closed(until: .zero)
  private var bus: OpaquePointer?
  private var descriptor: Int32 = -1
  private var openings = 0
  private var pause = BusConnection.firstPause
  private var isUnavailableReported = false
  private var events: [BusEvent] = []
  private var calls: [PendingCall] = []
  private var signals: [SignalWatch] = []
  private var exports: [ExportedObject] = []
  /// The unique name of the service; nil: it is not there, or not known yet.
  private var owner: String?

  /// - Parameter address: nil: the system bus, at the address of the specification.
  public init(
    to service: String, address: String? = nil, now: @escaping () -> BootInstant
  ) {
    self.service = service
    self.address =
      address ?? getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
      ?? "unix:path=/run/dbus/system_bus_socket"
    self.now = now
  }

  deinit { release() }

  public var isReady: Bool {
    if case .ready = phase { true } else { false }
  }

  public var interest: Interest? {
    guard let bus, descriptor >= 0 else { return nil }
    let events = sd_bus_get_events(bus)
    guard events >= 0 else { return Interest(descriptor, opening: openings) }
    return Interest(
      descriptor, opening: openings, reads: events & POLLIN != 0, writes: events & POLLOUT != 0)
  }

  public var due: BootInstant? {
    guard events.isEmpty else { return .zero }
    switch phase {
    case .closed(let end): return end
    case .absent: return nil
    case .connecting(let end): return hasMore ? .zero : end
    case .ready: return hasMore ? .zero : calls.map(\.end).min()
    }
  }

  /// The next event; nil: nothing more for now.
  public func next() -> BusEvent? {
    if events.isEmpty { work(at: now()) }
    return events.isEmpty ? nil : events.removeFirst()
  }

  /// The answer or the refusal comes from `next`, with this tag. A call that waits longer than
  /// `answerLimit` is refused, and so are more pending calls than the bus allows.
  public func call(_ call: BusCall, tag: Int) {
    guard let bus, isReady, calls.count < Self.maxCalls else {
      return events.append(.refusal(.unsent(-ENOTCONN), tag: tag))
    }
    let pending = PendingCall(
      self, tag: tag, end: now() + Self.answerLimit, owner: call.service == nil ? owner : nil)
    let sent = pending.send(call, to: call.service ?? service, on: bus)
    guard sent >= 0 else { return events.append(.refusal(.unsent(sent), tag: tag)) }
    calls.append(pending)
  }

  /// Signals come from `next`, with this tag, from now on and until the connection is lost.
  public func listen(to signal: BusSignal, tag: Int) {
    guard let rule = signal.rule(from: service) else { return }
    watch(rule, tag: tag)
  }

  func unsubscribe(tag: Int) { signals.removeAll { $0.tag == tag } }

  /// This program has objects at that path and below it, from now on and until the connection is
  /// lost: calls of the service to them come from `next`. All other callers are refused.
  func export(_ path: String) {
    guard let bus else { return }
    let offer = ExportedObject(self)
    guard offer.start(path, on: bus) >= 0 else { return }
    exports.append(offer)
  }

  /// Removes all offered objects.
  func removeExports() { exports = [] }

  /// Whether the answer to a call with this tag is pending.
  public func isPending(for tag: Int) -> Bool { calls.contains { $0.tag == tag } }
}

extension BusConnection {
  /// sd-bus has read messages that it has not processed: no descriptor becomes ready for them.
  private var hasMore: Bool {
    guard let bus else { return false }
    var timeout = UInt64.max
    return sd_bus_get_timeout(bus, &timeout) >= 0 && timeout == 0
  }

  private func work(at now: BootInstant) {
    if case .closed(let end) = phase {
      guard now >= end else { return }
      open(at: now)
    }
    for _ in 0..<Self.maxSteps where events.isEmpty {
      guard let bus else { return }
      let result = sd_bus_process(bus, nil)
      guard result >= 0 else { return fail(at: now, because: reason(result)) }
      progress(at: now)
      guard result > 0 else { break }
    }
    expire(at: now)
  }

  private func open(at now: BootInstant) {
    var created: OpaquePointer?
    guard sd_bus_new(&created) >= 0, let created else {
      return fail(at: now, because: reason(-ENOMEM))
    }
    bus = created
    openings += 1
    phase = .connecting(until: now + Self.answerLimit)
    let steps = [
      { sd_bus_set_address(created, self.address) }, { sd_bus_set_bus_client(created, 1) },
      // This program receives no descriptors over the bus.
      { sd_bus_negotiate_fds(created, 0) }, { sd_bus_set_watch_bind(created, 1) },
      { sd_bus_start(created) },
    ]
    for step in steps {
      let result = step()
      guard result >= 0 else { return fail(at: now, because: reason(result)) }
    }
    progress(at: now)
  }

  /// sd-bus may wait for another descriptor by now.
  private func progress(at now: BootInstant) {
    guard let bus, !isReady else { return }
    let current = sd_bus_get_fd(bus)
    // The bus has hung up during authentication.
    guard current >= 0 else { return fail(at: now, because: reason(current)) }
    if current != descriptor {
      descriptor = current
      openings += 1
      // Without a socket sd-bus has an inotify descriptor here.
      if FileStatus(descriptor: current)?.kind == .socket {
        phase = .connecting(until: now + Self.answerLimit)
      } else {
        phase = .absent
        reportUnavailable(
          "there is no bus at \(address): install dbus; it is used as soon as it runs")
      }
    }
    guard sd_bus_is_ready(bus) > 0 else { return }
    phase = .ready(since: now)
    isUnavailableReported = false
    watch(
      "type='signal',sender='org.freedesktop.DBus',path='/org/freedesktop/DBus',"
        + "interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(service)'",
      tag: Self.ownerTag)
    var call = BusCall(
      "/org/freedesktop/DBus", Self.busName, "GetNameOwner", [.text(service)])
    call.service = Self.busName
    self.call(call, tag: Self.ownerTag)
  }

  private func expire(at now: BootInstant) {
    if case .connecting(let end) = phase, now >= end {
      let limit = Int(Self.answerLimit.value)
      return fail(
        at: now,
        because: "the program at \(address) has not answered for \(limit) s; check that it is dbus")
    }
    for call in calls where now >= call.end {
      end(call, .failure(.unanswered))
    }
  }

  private func reason(_ code: Int32) -> String {
    "the bus at \(address) cannot be used (\(SystemError(code: -code).text)); check that dbus runs"
  }

  private func fail(at now: BootInstant, because reason: String) {
    if case .ready(let since) = phase, now - since > Self.stableTime { pause = Self.firstPause }
    give(up: now + pause)
    pause = min(pause * 2, Self.maxPause)
    reportUnavailable(reason + " Godwit retries, at least every hour")
  }

  private func reportUnavailable(_ reason: String) {
    guard !isUnavailableReported else { return }
    isUnavailableReported = true
    events.append(.unavailable(reason))
  }

  private func give(up next: BootInstant) {
    release()
    events = []
    phase = .closed(until: next)
  }

  private func release() {
    calls = []
    signals = []
    exports = []
    owner = nil
    guard let bus else { return }
    sd_bus_close(bus)
    sd_bus_unref(bus)
    self.bus = nil
    descriptor = -1
  }
}

extension BusConnection {
  /// Tag of the calls and signals about the presence of the service.
  fileprivate static let ownerTag = Int.min
  /// The bus itself; no program can have this name.
  fileprivate static let busName = "org.freedesktop.DBus"

  private func watch(_ rule: String, tag: Int) {
    guard let bus else { return }
    let watch = SignalWatch(self, tag: tag)
    guard watch.start(rule, on: bus) >= 0 else { return }
    signals.append(watch)
  }

  func received(_ message: BusMessage, by watch: SignalWatch) {
    // Any program can send any signal to this one directly; a sender in the match rule does not
    // prevent that.
    guard watch.tag == Self.ownerTag else {
      guard let owner, message.sender == owner else { return }
      return events.append(.signal(message, tag: watch.tag))
    }
    // The name, the old owner, the new one: empty for none (D-Bus specification).
    guard message.sender == Self.busName, message.text() == service, message.text() != nil,
      let new = message.text()
    else { return }
    owner = new.isEmpty ? nil : new
    calls.removeAll { $0.owner != nil && $0.owner != owner }
    events.append(.service(isThere: owner != nil))
  }

  /// Any program on the bus can call any other.
  func received(_ message: OpaquePointer) {
    let request = BusRequest(message)
    guard let owner, request.arguments.sender == owner else {
      return request.refuse("org.freedesktop.DBus.Error.AccessDenied")
    }
    events.append(.request(request))
  }

  func end(_ call: PendingCall, _ result: Result<BusMessage, BusRefusal>) {
    calls.removeAll { $0 === call }
    switch result {
    case .success(let message) where call.tag == Self.ownerTag:
      owner = message.text()
      events.append(.service(isThere: owner != nil))
    case .failure where call.tag == Self.ownerTag:
      owner = nil
      events.append(.service(isThere: false))
    case .success(let message): events.append(.answer(message, tag: call.tag))
    case .failure(let refusal): events.append(.refusal(refusal, tag: call.tag))
    }
  }
}
