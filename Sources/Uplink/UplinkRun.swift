import Delivery
import Notation
import Platform
import Ports
import Quantities
import Records
import Runtime

#if canImport(Glibc)
  import Glibc
#endif

/// One run of the uplink: what is new goes into the outbox, what waits there goes to the broker,
/// and the process ends.
public final class UplinkRun {
  /// What it works with.
  public struct Parts {
    public var store: any ChangesPort
    public var outbox: any OutboxPort
    public var broker: any BrokerPort
    public var visit: BrokerVisit

    public init(
      store: any ChangesPort, outbox: any OutboxPort, broker: any BrokerPort, visit: BrokerVisit
    ) {
      self.store = store
      self.outbox = outbox
      self.broker = broker
      self.visit = visit
    }
  }

  /// A board whose clock says less knows no date, and no certificate would be valid: 2026.
  private static let earliestDate = UTCInstant(seconds: 1_767_225_600)
  private let parts: Parts
  private let settings: UplinkSettings
  private let topics: UplinkTopics
  private let loop: BrokerLoop
  private let onLog: (LogEvent) -> Void
  private var session: BrokerSession
  private var ending: BrokerSession.Ending?
  private var handedOn: [Recipient: Int] = [:]
  private var recipients: [Int64: Recipient] = [:]

  public init(
    _ parts: Parts, _ settings: UplinkSettings, _ topics: UplinkTopics,
    onLog: @escaping (LogEvent) -> Void
  ) throws(EventLoopError) {
    self.parts = parts
    self.settings = settings
    self.topics = topics
    self.onLog = onLog
    loop = try BrokerLoop(parts.broker)
    session = BrokerSession(
      BrokerPlan(
        brokers: settings.mqtt.brokers, recipients: settings.recipients,
        receiptTopic: settings.recipients.contains(.collector) ? topics.received : nil))
  }

  /// - Returns: how the visit ended.
  public func run() throws(UplinkError) -> BrokerSession.Ending {
    try gather()
    loop.turn = { [unowned self] in turn() }
    step(.begin)
    do throws(EventLoopError) {
      try loop.run(signals: [SIGTERM, SIGINT]) { [unowned self] in step(.end) }
    } catch {
      throw UplinkError("the uplink cannot wait: \(error.message)")
    }
    if let failure = loop.failure { throw failure }
    for recipient in settings.recipients {
      guard let count = handedOn[recipient] else { continue }
      onLog(LogEvent("handed-on", "\(count) to \(recipient.rawValue)"))
    }
    return ending ?? BrokerSession.Ending()
  }

  private func gather() throws(UplinkError) {
    var gatherer = Gatherer(from: parts.store, into: parts.outbox, settings, topics)
    let chance = String(UInt64.random(in: .min ... .max), radix: 36)
    let result = try gatherer.gather(streamName: chance, at: now)
    for remark in result.remarks { onLog(LogEvent("uplink-store", remark, level: .warning)) }
    if result.queued > 0 { onLog(LogEvent("queued", Counted.text(result.queued, "message"))) }
    do throws(OutboxError) {
      _ = try parts.outbox.resend(handedOverBefore: now - settings.receiptTime)
      let dropped = try parts.outbox.tidy(
        settledBefore: now - settings.retention, atMost: settings.mostWaiting)
      guard dropped > 0 else { return }
      onLog(
        LogEvent(
          "dropped", "\(dropped) messages: more than uplink.most_waiting were waiting",
          level: .warning))
    } catch {
      throw UplinkError(error.message)
    }
  }

  private var now: UTCInstant { BootClock.systemDate }

  // MARK: The loop

  /// Takes what the broker has said, and waits for what it waits for now.
  private func turn() {
    if let wake = session.wake, wake <= BootClock.now { step(.woke) }
    for _ in 0..<BrokerLoop.mostEvents {
      guard ending == nil, let event = parts.broker.poll() else { break }
      step(.broker(event))
    }
    loop.wait(until: session.wake)
  }

  private func step(_ event: BrokerSession.Event) {
    var events = [event]
    while !events.isEmpty {
      for effect in session.step(events.removeFirst(), at: BootClock.now) {
        do throws(OutboxError) {
          if let more = try perform(effect) { events.append(more) }
        } catch {
          return loop.end(UplinkError(error.message))
        }
      }
    }
    if ending != nil { loop.end() }
  }

  private func perform(
    _ effect: BrokerSession.Effect
  ) throws(OutboxError) -> BrokerSession.Event? {
    switch effect {
    case .connect(let broker): return connect(to: broker)
    case .subscribe(let topics): parts.broker.subscribe(to: topics)
    case .fetch(let recipient, let number, let most):
      let items = try parts.outbox.waiting(for: recipient, after: number, atMost: most)
      for item in items { recipients[item.number] = recipient }
      return .items(recipient, items)
    case .publish(let message, let number):
      guard let refusal = parts.broker.publish(message, number: number) else { return nil }
      onLog(LogEvent("refused", refusal, level: .warning))
      return .broker(.acknowledged(number: number, .unsendable))
    case .settle(let settlements):
      try parts.outbox.settle(settlements, at: now)
      for settlement in settlements { count(settlement) }
    case .collected(let receipt): _ = try parts.outbox.collected(receipt, at: now)
    // Nothing is subscribed to that could ask for something.
    case .hear: break
    case .disconnect: parts.broker.disconnect()
    case .ended(let ending): self.ending = ending
    }
    return nil
  }

  private func count(_ settlement: Settlement) {
    guard let recipient = recipients.removeValue(forKey: settlement.number) else { return }
    if case .refused = settlement.outcome { return }
    handedOn[recipient, default: 0] += 1
  }

  private func connect(to broker: BrokerAddress) -> BrokerSession.Event? {
    guard broker.isSecure, now < Self.earliestDate else {
      parts.broker.connect(to: broker, as: parts.visit)
      return nil
    }
    return .broker(.failed(BrokerFailure(.certificateNotYetValid, at: broker)))
  }
}
