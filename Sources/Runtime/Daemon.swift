import Ports
import Core
import Platform
import Records

#if canImport(Glibc)
  import Glibc
#endif

/// Runs the runtime on an sd-event loop, with signals, systemd's watchdog and the control socket.
/// Nothing that it writes to can block it.
public final class Daemon {
  private let loop: EventLoop
  private let runtime: TrackerRuntime
  private let started: BootInstant
  private let reload: () -> LogEvent
  private let log: LogOutput
  private let notices: ServiceNotices
  private var control: ControlSocket?
  private var timer: EventSource?
  /// One for each of the runtime's endpoints.
  private var watches: [EndpointWatch] = []
  private var signals: [EventSource] = []
  private var memoryTimer: EventSource?
  private var memory: ResidentMemory
  private var armed: BootInstant?
  /// The last status sent to the service manager; nil before the daemon is ready.
  private var sentStatus: StatusMark?

  /// - Parameters:
  ///   - control: nil: no control socket.
  ///   - log: the destination of the runtime's log events.
  ///   - reload: called on SIGHUP; reads the settings again and returns the result.
  public init(
    _ runtime: TrackerRuntime, control settings: ControlSettings?, log: LogOutput,
    reload: @escaping () -> LogEvent
  ) throws(PortError) {
    // A client or a log reader that goes away must not end the daemon.
    Glibc.signal(SIGPIPE, SIG_IGN)
    self.runtime = runtime
    self.reload = reload
    self.log = log
    started = BootClock.now
    memory = ResidentMemory(since: started)
    loop = try EventLoop()
    notices = try ServiceNotices(Self.variable("NOTIFY_SOCKET"), loop: loop)
    guard let settings else { return }
    // From here on, termination signals lead to an orderly end that removes the socket.
    EventLoop.blockSignals([SIGTERM, SIGINT, SIGHUP])
    control = try ControlSocket(path: settings.socket, group: settings.group, loop: loop) {
      [unowned self] in answer($0)
    }
    control?.onLog = { runtime.onLog($0, BootClock.now) }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Runs until SIGTERM or SIGINT. Returns the exit code.
  public func run(
    restoring state: String?, boot: String?
  ) throws(PortError) -> Int32 {
    timer = try loop.timer { [unowned self] in
      armed = nil
      happened { runtime.timePassed(at: $0) }
    }
    watches = runtime.endpoints.map(watch)
    try watchSignals()
    try startWatchdog()
    if let warning = control?.warning {
      runtime.onLog(LogEvent("control-restricted", warning, level: .warning), started)
    }
    happened { runtime.start(restoring: state, boot: boot, at: $0) }
    sentStatus = report.mark
    notices.notify("READY=1\nSTATUS=\(statusLine)")
    ResidentMemory.giveBack()
    memoryTimer = try loop.timer { ResidentMemory.giveBack() }
    memoryTimer?.set(at: started + Self.startupTime)
    return try loop.run()
  }

  /// By then the sources have found their services, with code that is not needed again.
  private static let startupTime: Seconds = 10

  /// Every wake of the daemon goes through here, so that the timer is armed and the endpoints'
  /// interests are updated once afterwards.
  private func happened<Result>(_ action: (BootInstant) -> Result) -> Result {
    let now = BootClock.now
    let result = action(now)
    sendStatus()
    for watch in watches { watch.update() }
    let next = runtime.nextDue
    if next != armed {
      armed = next
      timer?.set(at: next)
    }
    memory.giveBack(before: next, at: now)
    return result
  }

  /// Sends the status once for each change, and not before the daemon is ready.
  private func sendStatus() {
    guard let sentStatus else { return }
    let mark = report.mark
    guard mark != sentStatus else { return }
    self.sentStatus = mark
    notices.notify("STATUS=\(statusLine)")
  }

  private func startWatchdog() throws(PortError) {
    guard let reason = try Watchdog.start(notices, on: loop) else { return }
    runtime.onLog(LogEvent("watchdog-unusable", reason, level: .warning), started)
  }

  private func watch(_ endpoint: any Endpoint) -> EndpointWatch {
    EndpointWatch(
      endpoint, on: loop,
      onLog: { [runtime] in runtime.onLog($0, BootClock.now) },
      serve: { [unowned self] in
        happened { runtime.serve(endpoint, at: $0, isReady: true) }
      })
  }

  private func watchSignals() throws(PortError) {
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number) { [unowned self] in stop() })
    }
    signals.append(
      try loop.signal(SIGHUP) { [unowned self] in
        notices.notify("RELOADING=1\nMONOTONIC_USEC=\(BootClock.monotonicMicroseconds)")
        let outcome = reload()
        happened { runtime.onLog(outcome, $0) }
        notices.notify("READY=1\nSTATUS=\(statusLine)")
        ResidentMemory.giveBack()
      })
  }

  private func stop() {
    notices.notify("STOPPING=1")
    happened { runtime.stop(at: $0) }
    control?.broadcast(StatusReport.farewell)
    loop.exit(0)
  }

  /// For `systemctl status`.
  private var statusLine: String { report.line }

  private func answer(_ json: JSONValue) -> JSONValue {
    do throws(ControlRequest.Refusal) {
      switch try ControlRequest(json) {
      case .status: break
      case .gnss(let wanted): happened { runtime.command(.gnss(wanted), at: $0) }
      case .restart(let kind):
        if let why = happened({ ReceiverRestart(runtime).perform(kind, at: $0) }) {
          return ControlSocket.refusal(why)
        }
      case .commit: happened { runtime.commit(at: $0) }
      case .edited: happened { edited(at: $0) }
      case .alertTest(let id): return tried(alert: id)
      case .device(let name, let position):
        happened { runtime.handle(runtime.places.device(name, at: position, $0), at: $0) }
      case .deviceSought(let name):
        return happened { PlaceReport(runtime.places).device(name, at: $0) }
      case .fix(let limit, let accuracy):
        happened { now in
          let inputs = runtime.fixRequest.begin(within: limit, accuracy: accuracy, at: now)
          runtime.handle(inputs, at: now)
        }
      case .uplink(let report): runtime.uplinkReport = report
      case .near: return try near()
      case .peerMessages(let delivery): return try deliver(delivery)
      case .watch:
        startWatching()
        return report.statusEvent
      }
    } catch {
      return ControlSocket.refusal(error.reason)
    }
    return report.json
  }

  private func edited(at now: BootInstant) {
    runtime.handle(runtime.places.edited(at: now), at: now)
    if let people = runtime.people { runtime.handle(people.edited(at: now), at: now) }
  }

  /// Answers when the messages are durable.
  private func deliver(_ delivery: PeerMessageDelivery) throws(ControlRequest.Refusal) -> JSONValue
  {
    guard let people = runtime.people else {
      throw ControlRequest.Refusal(reason: "the board has no owner: set people.address")
    }
    let failure = happened { now in
      let (inputs, failure) = people.deliver(delivery, at: now)
      runtime.handle(inputs, at: now)
      return failure
    }
    if let failure { throw ControlRequest.Refusal(reason: failure) }
    return .object([("taken", .count(delivery.arrived.count + delivery.sent.count))])
  }

  private func near() throws(ControlRequest.Refusal) -> JSONValue {
    guard let beacons = runtime.places.beacons else {
      throw ControlRequest.Refusal(
        reason: "no radio receives beacons: set bluetooth.kind to \"bluez\" in the settings of "
          + "the running daemon, and restart it")
    }
    return happened { now in
      let request = beacons.listen(at: now)
      runtime.handle(request.inputs, at: now)
      return BeaconReport(beacons, at: now).near(request.heard)
    }
  }

  private func tried(alert id: Int64) -> JSONValue {
    let notice = happened { now in
      edited(at: now)
      let notice = runtime.places.test(id, at: now)
      runtime.commit(at: now)
      return notice
    }
    guard let notice else {
      return ControlSocket.refusal(
        "no alert \(id) is active: `godwit alerts` shows why; or the store cannot be read now")
    }
    return .object([("notice", .number(Double(notice)))])
  }

  private var report: StatusReport {
    StatusReport(runtime, at: BootClock.now, started: started, service: health)
  }

  /// Events are generated only while a client has subscribed.
  private func startWatching() {
    control?.addWatcher()
    runtime.reporter.onEvent = { [unowned self] news, instant in
      guard let control, control.isWatched else { return runtime.reporter.onEvent = nil }
      control.broadcast(report.eventLine(news, at: instant))
    }
  }

  private var health: ServiceHealth {
    var health = ServiceHealth()
    health.wakeups = loop.wakeups
    health.droppedMessages = log.dropped
    health.droppedNotices = notices.dropped
    health.shedClients = control?.shedClients ?? 0
    health.failedConnections = control?.failedConnections ?? 0
    return health
  }
}
