import Delivery
import Platform
import Ports
import Core
import Records
import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// A collector that runs until it is told to end.
public final class CollectorRun {
  private struct Source: Hashable {
    let device: String
    let stream: String
  }

  /// Whoever may publish to the collector can invent streams.
  static let mostOwed = 10_000

  private let collection: any CollectionPort
  private let broker: any BrokerPort
  private let visit: BrokerLogin
  private let onLog: (LogEvent) -> Void
  private let loop: PortLoop
  private var session: CollectorSession
  private var isOver = false
  /// Receipts for which the broker has had no room yet: the newest of each stream.
  private var owed: [Source: CollectorReceipt] = [:]
  /// The same again is not told again.
  private var lastWords: String?

  public init(
    into collection: any CollectionPort, _ broker: any BrokerPort, at brokers: [BrokerAddress],
    as visit: BrokerLogin, onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    self.collection = collection
    self.broker = broker
    self.visit = visit
    self.onLog = onLog
    loop = try PortLoop([broker], onLog: onLog)
    session = CollectorSession(brokers)
  }

  public func run() throws(PortError) {
    loop.turn = { [unowned self] in turn() }
    step(.begin)
    do throws(PortError) {
      try loop.run(signals: [SIGTERM, SIGINT]) { [unowned self] in step(.end) }
    } catch {
      throw PortError("the collector cannot wait: \(error.message)")
    }
    if let failure = loop.failure { throw failure }
  }

  /// - Returns: whether anything was there.
  private func turn() -> Bool {
    let before = broker.traffic
    var count = 0
    if let wake = session.wake, wake <= BootClock.now { step(.woke) }
    // What has come is put on the disk together, and the receipts say so once.
    for _ in 0..<PortLoop.mostEvents {
      guard !isOver, let event = broker.poll() else { break }
      count += 1
      step(.broker(event))
    }
    while !isOver, broker.hasRoom, let (source, receipt) = owed.popFirst() {
      step(.taken(device: source.device, receipt))
    }
    loop.wait(until: session.wake)
    return count > 0 || broker.traffic != before
  }

  private func step(_ event: CollectorSession.Event) {
    for effect in session.step(event, at: BootClock.now) {
      switch effect {
      case .connect(let address): broker.connect(to: address, as: visit)
      case .subscribe(let topics): broker.subscribe(to: topics)
      case .publish(let message, let number): _ = broker.publish(message, number: number)
      case .tell(let text): tell(text)
      case .disconnect: broker.disconnect()
      case .ended:
        isOver = true
        loop.end()
      case .take(let batch, let device):
        do throws(PortError) {
          let receipt = try collection.take(batch, of: device)
          owe(receipt, to: Source(device: device, stream: batch.stream))
        } catch {
          // Without a receipt it comes again.
          if case .moved(let why) = error { return end(because: why) }
          tell(error.message)
        }
      }
    }
  }

  /// There is no file any more that anything could go into.
  private func end(because why: String) {
    isOver = true
    broker.disconnect()
    loop.end(PortError(why))
  }

  private func owe(_ receipt: CollectorReceipt, to source: Source) {
    // Who gets none sends again, and is told then.
    guard owed.count < Self.mostOwed || owed[source] != nil else { return }
    owed[source] = receipt
  }

  private func tell(_ text: String) {
    guard text != lastWords else { return }
    lastWords = text
    onLog(LogEvent("collector", text))
  }
}
