import Platform
import Ports
import Quantities
import Runtime

/// The loop's watch over connections, and a timer: follows what each of them waits for from turn to
/// turn.
final class PortLoop {
  /// Taken in one turn: however fast they come, signals and what is to be said have theirs, too.
  static let mostEvents = 256

  private struct Watch {
    let port: any EventPort
    var source: EventSource?
    var watched: Interest?
  }

  private let loop: EventLoop
  /// A library that hangs is ended by systemd's watchdog.
  private let life: ServiceLife
  private var watches: [Watch]
  private var timer: EventSource?
  private var signals: [EventSource] = []
  /// Of a connection that stays for months.
  private var memory = ResidentMemory(every: 30)
  private var isOver = false
  private(set) var failure: UplinkError?
  /// Takes what there is.
  var turn: () -> Void = {}

  init(_ ports: [any EventPort]) throws(EventLoopError) {
    watches = ports.map { Watch(port: $0) }
    loop = try EventLoop()
    life = try ServiceLife(on: loop)
  }

  /// - Parameter end: called when somebody wants the process to end.
  func run(signals numbers: [Int32], end: @escaping () -> Void) throws(EventLoopError) {
    timer = try loop.timer { [unowned self] in turn() }
    for number in numbers {
      signals.append(
        try loop.signal(number) { [unowned self] in
          end()
          turn()
        })
    }
    turn()
    guard !isOver else { return }
    _ = try loop.run()
  }

  /// The last turn is over, why ever.
  func end(_ failure: UplinkError? = nil) {
    if self.failure == nil { self.failure = failure }
    isOver = true
    loop.exit(0)
  }

  /// - Parameter wake: when a turn is wanted, whatever the connections say.
  func wait(until wake: BootInstant?) {
    guard !isOver else { return }
    let next = ([wake] + watches.map(\.port.due)).compactMap { $0 }.min()
    timer?.set(at: next)
    for index in watches.indices { follow(&watches[index]) }
    // What is about to come would read again what is given back before it.
    guard !watches.contains(where: \.port.awaitsAnswer) else { return }
    memory.giveBack(before: next, at: BootClock.now)
  }

  private func follow(_ watch: inout Watch) {
    let interest = watch.port.interest
    guard interest != watch.watched else { return }
    if interest?.descriptor != watch.watched?.descriptor
      || interest?.opening != watch.watched?.opening
    {
      watch.source = nil
      if let interest {
        do throws(EventLoopError) {
          watch.source = try loop.watch(interest.descriptor) { [unowned self] in turn() }
        } catch {
          end(UplinkError("\(watch.port.name) cannot be watched: \(error.message)"))
        }
      }
    }
    watch.watched = interest
    watch.source?.expect(reads: interest?.reads ?? false, writes: interest?.writes ?? false)
  }
}
