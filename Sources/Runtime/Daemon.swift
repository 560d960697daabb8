import CSystemd
import Notation
import Quantities
import Tracking

#if canImport(Glibc)
  import Glibc
#endif

/// The live world: the conductor on an sd-event loop, with signals, systemd's watchdog and the
/// control socket.
public final class Daemon {
  private let loop: EventLoop
  private let conductor: Conductor
  private let started: BootInstant
  private let reload: () -> Note
  private var control: ControlSocket?
  private var timer: EventSource?
  private var receiver: EventSource?
  private var coarse: EventSource?
  private var signals: [EventSource] = []
  private var armed: BootInstant?

  public struct ControlSettings: Hashable, Sendable {
    /// Nil: no control socket.
    public var socket: String?
    public var group: String?

    public init(socket: String?, group: String?) {
      self.socket = socket
      self.group = group
    }
  }

  /// - Parameter reload: called on SIGHUP; reads the settings again and says what came of it.
  public init(
    _ conductor: Conductor, control settings: ControlSettings, reload: @escaping () -> Note
  ) throws(ControlError) {
    self.conductor = conductor
    self.reload = reload
    started = BootClock.now
    do {
      loop = try EventLoop()
    } catch {
      throw ControlError(error.message)
    }
    guard let socket = settings.socket else { return }
    control = try ControlSocket(path: socket, group: settings.group, loop: loop) {
      [unowned self] in answer($0)
    }
  }

  /// Runs until SIGTERM or SIGINT. Returns the exit code.
  public func run(
    restoring state: String?, boot: String?
  ) throws(EventLoopError) -> Int32 {
    timer = try loop.timer { [unowned self] in
      armed = nil
      happened { conductor.timePassed(at: $0) }
    }
    conductor.receiverDescriptorChanged = { [unowned self] in watchReceiver($0) }
    conductor.receiverPaused = { [unowned self] in receiver?.pause($0) }
    try watchSignals()
    if let descriptor = conductor.board.coarse?.descriptor {
      coarse = try loop.watch(descriptor) { [unowned self] in
        happened { conductor.coarseIsReadable(at: $0) }
      }
    }
    _ = try loop.feedWatchdog()
    if let warning = control?.warning {
      conductor.noted(Note("control-restricted", warning, level: .warning), started)
    }
    happened { conductor.start(restoring: state, boot: boot, at: $0) }
    sd_notify(0, "READY=1\nSTATUS=\(statusLine)")
    StartupMemory.giveBack()
    return try loop.run()
  }

  /// Everything that wakes the daemon passes here, so that the timer is armed afterwards, once.
  private func happened(_ action: (BootInstant) -> Void) {
    action(BootClock.now)
    let next = conductor.nextDue
    guard next != armed else { return }
    armed = next
    timer?.set(at: next)
  }

  private func watchReceiver(_ descriptor: Int32?) {
    receiver = nil
    guard let descriptor else { return }
    do {
      receiver = try loop.watch(descriptor) { [unowned self] in
        happened { conductor.receiverIsReadable(at: $0) }
      }
    } catch {
      // Out of descriptors or memory: the search finds nothing, and the next one tries again.
      let why = "the receiver's line is not watched: \(error.message)"
      conductor.noted(Note("receiver-failed", why, level: .warning), BootClock.now)
    }
  }

  private func watchSignals() throws(EventLoopError) {
    for number in [SIGTERM, SIGINT] {
      signals.append(try loop.signal(number) { [unowned self] in stop() })
    }
    signals.append(
      try loop.signal(SIGHUP) { [unowned self] in
        sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(BootClock.monotonicMicroseconds)")
        let outcome = reload()
        happened { conductor.noted(outcome, $0) }
        sd_notify(0, "READY=1\nSTATUS=\(statusLine)")
        StartupMemory.giveBack()
      })
    // A client that goes away must not end the daemon.
    Glibc.signal(SIGPIPE, SIG_IGN)
  }

  private func stop() {
    sd_notify(0, "STOPPING=1")
    happened { conductor.stop(at: $0) }
    loop.exit(0)
  }

  private var statusLine: String { "policy \(conductor.tracker.policyName)" }

  private func answer(_ json: JSONValue) -> JSONValue {
    do throws(ControlRequest.Refusal) {
      switch try ControlRequest(json) {
      case .status: break
      case .gnss(let wanted): happened { conductor.command(.gnss(wanted), at: $0) }
      case .commit: happened { conductor.commit(at: $0) }
      }
    } catch {
      return ControlSocket.refusal(error.reason)
    }
    return StatusReport(conductor, at: BootClock.now, started: started).json
  }
}
