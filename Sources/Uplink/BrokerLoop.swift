import Ports
import Quantities
import Runtime

/// The loop's watch over a connection to a broker, and a timer: follows what the connection waits
/// for from turn to turn.
final class BrokerLoop {
  /// Taken in one turn: however fast they come, signals and what is to be said have theirs, too.
  static let mostEvents = 256

  private let loop: EventLoop
  private let port: any BrokerPort
  private var source: EventSource?
  private var watched: Interest?
  private var timer: EventSource?
  private var signals: [EventSource] = []
  private var isOver = false
  private(set) var failure: UplinkError?
  /// Takes what there is.
  var turn: () -> Void = {}

  init(_ port: any BrokerPort) throws(EventLoopError) {
    self.port = port
    loop = try EventLoop()
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

  /// - Parameter wake: when a turn is wanted, whatever the connection says.
  func wait(until wake: BootInstant?) {
    guard !isOver else { return }
    timer?.set(at: [wake, port.due].compactMap { $0 }.min())
    let interest = port.interest
    guard interest != watched else { return }
    if interest?.descriptor != watched?.descriptor || interest?.opening != watched?.opening {
      source = nil
      if let interest {
        do throws(EventLoopError) {
          source = try loop.watch(interest.descriptor) { [unowned self] in turn() }
        } catch {
          end(UplinkError("the broker's connection cannot be watched: \(error.message)"))
        }
      }
    }
    watched = interest
    source?.expect(reads: interest?.reads ?? false, writes: interest?.writes ?? false)
  }
}
