import Platform
import Ports
import Core
import Records
import Runtime

/// Watches connections and a timer on the loop, and follows the interest of each connection in
/// every step.
final class PortLoop {
  /// The maximum handled in one step, so that signals and outgoing messages get their turn.
  static let mostEvents = 256

  /// A transfer counts as fruitful when it is complete, and wakes often before.
  static let fruitlessLimit = 1000

  private let ports: [any EventPort]
  private let loop: EventLoop
  /// systemd's watchdog ends a process in which a library hangs.
  private let life: ServiceNotifier
  private var watches: [EndpointWatch] = []
  private var timer: EventSource?
  private var signals: [EventSource] = []
  /// For a connection that stays for months.
  private var memory = ResidentMemory(every: 30)
  private var isOver = false
  private(set) var failure: PortError?
  /// Handles what is there; returns whether there was anything.
  var onStep: () -> Bool = { false }

  /// - Parameter onLog: receives warnings about a connection that stays ready.
  init(
    _ ports: [any EventPort], onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    self.ports = ports
    loop = try EventLoop()
    life = try ServiceNotifier(on: loop)
    watches = ports.map { port in
      EndpointWatch(
        "connection", fruitlessLimit: Self.fruitlessLimit, on: loop,
        interest: { port.interest }, onLog: onLog, serve: { [unowned self] in onStep() })
    }
  }

  /// - Parameter end: called at a signal to end.
  func run(signals numbers: [Int32], end: @escaping () -> Void) throws(PortError) {
    timer = try loop.timer { [unowned self] in _ = onStep() }
    for number in numbers {
      signals.append(
        try loop.signal(number) { [unowned self] in
          end()
          _ = onStep()
        })
    }
    _ = onStep()
    guard !isOver else { return }
    _ = try loop.run()
  }

  /// Ends the loop after the last step.
  func end(_ failure: PortError? = nil) {
    if self.failure == nil { self.failure = failure }
    isOver = true
    loop.exit(0)
  }

  /// - Parameter wake: when a step is due, regardless of the connections.
  func wait(until wake: BootInstant?) {
    guard !isOver else { return }
    let next = ([wake] + ports.map(\.due)).compactMap { $0 }.min()
    timer?.set(at: next)
    for (watch, port) in zip(watches, ports) {
      watch.update()
      if let why = watch.failure { end(PortError("\(port.name) cannot be used: \(why)")) }
    }
    // An expected answer would immediately read the released pages again.
    guard !ports.contains(where: \.awaitsReply) else { return }
    memory.giveBack(before: next, at: BootClock.now)
  }
}
