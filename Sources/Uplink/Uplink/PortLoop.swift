import Platform
import Ports
import Core
import Records
import Runtime

/// The loop's watch over connections, and a timer: follows what each of them waits for from turn to
/// turn.
final class PortLoop {
  /// Taken in one turn: however fast they come, signals and what is to be said have theirs, too.
  static let mostEvents = 256

  /// A transfer is counted when it is over, and wakes often before.
  static let fruitlessLimit = 1000

  private let ports: [any EventPort]
  private let loop: EventLoop
  /// A library that hangs is ended by systemd's watchdog.
  private let life: ServiceNotifier
  private var watches: [EndpointWatch] = []
  private var timer: EventSource?
  private var signals: [EventSource] = []
  /// Of a connection that stays for months.
  private var memory = ResidentMemory(every: 30)
  private var isOver = false
  private(set) var failure: PortError?
  /// Takes what there is; says whether anything was.
  var turn: () -> Bool = { false }

  /// - Parameter onLog: called with what people should know of a connection that stays ready.
  init(
    _ ports: [any EventPort], onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    self.ports = ports
    loop = try EventLoop()
    life = try ServiceNotifier(on: loop)
    watches = ports.map { port in
      EndpointWatch(
        "connection", fruitlessLimit: Self.fruitlessLimit, on: loop,
        interest: { port.interest }, onLog: onLog, serve: { [unowned self] in turn() })
    }
  }

  /// - Parameter end: called when somebody wants the process to end.
  func run(signals numbers: [Int32], end: @escaping () -> Void) throws(PortError) {
    timer = try loop.timer { [unowned self] in _ = turn() }
    for number in numbers {
      signals.append(
        try loop.signal(number) { [unowned self] in
          end()
          _ = turn()
        })
    }
    _ = turn()
    guard !isOver else { return }
    _ = try loop.run()
  }

  /// The last turn is over, why ever.
  func end(_ failure: PortError? = nil) {
    if self.failure == nil { self.failure = failure }
    isOver = true
    loop.exit(0)
  }

  /// - Parameter wake: when a turn is wanted, whatever the connections say.
  func wait(until wake: BootInstant?) {
    guard !isOver else { return }
    let next = ([wake] + ports.map(\.due)).compactMap { $0 }.min()
    timer?.set(at: next)
    for (watch, port) in zip(watches, ports) {
      watch.update()
      if let why = watch.failure { end(PortError("\(port.name) cannot be used: \(why)")) }
    }
    // What is about to come would read again what is given back before it.
    guard !ports.contains(where: \.awaitsAnswer) else { return }
    memory.giveBack(before: next, at: BootClock.now)
  }
}
