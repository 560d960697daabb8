import Delivery
import Platform
import Ports
import Core
import Records
import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// A collector that runs until it is stopped by a signal.
public final class CollectorRun {
  private struct Source: Hashable {
    let device: String
    let stream: String
  }

  /// A limit, because anybody with write access to the topic can invent streams.
  static let maxPendingReceipts = 10_000

  private let collection: any CollectionPort
  private let broker: any BrokerPort
  private let login: BrokerLogin
  private let onLog: (LogEvent) -> Void
  private let loop: PortLoop
  private var session: CollectorSession
  private var isOver = false
  /// Receipts that the broker had no room for: the newest of each stream.
  private var pendingReceipts: [Source: CollectorReceipt] = [:]
  /// The last text logged; a repeated one is not logged.
  private var lastMessage: String?

  public init(
    into collection: any CollectionPort, _ broker: any BrokerPort, at brokers: [BrokerAddress],
    as login: BrokerLogin, onLog: @escaping (LogEvent) -> Void
  ) throws(PortError) {
    self.collection = collection
    self.broker = broker
    self.login = login
    self.onLog = onLog
    loop = try PortLoop([broker], onLog: onLog)
    session = CollectorSession(brokers)
  }

  public func run() throws(PortError) {
    loop.onStep = { [unowned self] in poll() }
    step(.begin)
    do throws(PortError) {
      try loop.run(signals: [SIGTERM, SIGINT]) { [unowned self] in step(.end) }
    } catch {
      throw PortError("the collector cannot wait: \(error.message)")
    }
    if let failure = loop.failure { throw failure }
  }

  /// - Returns: whether there was anything to handle.
  private func poll() -> Bool {
    let before = broker.traffic
    var count = 0
    if let wake = session.wake, wake <= BootClock.now { step(.woke) }
    // All events are handled first, so that one receipt for each stream acknowledges them.
    for _ in 0..<PortLoop.mostEvents {
      guard !isOver, let event = broker.poll() else { break }
      count += 1
      step(.broker(event))
    }
    while !isOver, broker.hasRoom, let (source, receipt) = pendingReceipts.popFirst() {
      step(.stored(device: source.device, receipt))
    }
    loop.wait(until: session.wake)
    return count > 0 || broker.traffic != before
  }

  private func step(_ event: CollectorSession.Event) {
    for effect in session.step(event, at: BootClock.now) {
      switch effect {
      case .connect(let address): broker.connect(to: address, as: login)
      case .subscribe(let topics): broker.subscribe(to: topics)
      case .publish(let message, let number): _ = broker.publish(message, number: number)
      case .report(let text): log(text)
      case .disconnect: broker.disconnect()
      case .ended:
        isOver = true
        loop.end()
      case .store(let batch, let device):
        do throws(PortError) {
          let receipt = try collection.store(batch, of: device)
          queueReceipt(receipt, to: Source(device: device, stream: batch.stream))
        } catch {
          // Without a receipt the batch is sent again.
          if case .moved(let why) = error { return end(because: why) }
          log(error.message)
        }
      }
    }
  }

  /// The file to store into has gone.
  private func end(because why: String) {
    isOver = true
    broker.disconnect()
    loop.end(PortError(why))
  }

  private func queueReceipt(_ receipt: CollectorReceipt, to source: Source) {
    // A source without a receipt sends again, and receives one then.
    guard pendingReceipts.count < Self.maxPendingReceipts || pendingReceipts[source] != nil else {
      return
    }
    pendingReceipts[source] = receipt
  }

  private func log(_ text: String) {
    guard text != lastMessage else { return }
    lastMessage = text
    onLog(LogEvent("collector", text))
  }
}
