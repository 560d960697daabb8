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

/// A run of the uplink: what is new goes into the outbox, what waits there goes to whom it is for,
/// and the process ends, or stays where answers are wanted at once.
public final class UplinkRun {
  /// What it works with.
  public struct Parts {
    public var store: any ChangesPort
    public var outbox: any OutboxPort
    /// Nil: no broker gets anything.
    public var broker: (port: any BrokerPort, visit: BrokerVisit)?
    public var web: [(plan: WebPlan, uploader: any UploadPort)]
    /// Nil: nobody says that something is new.
    public var bell: (any WakePort)?

    public init(
      store: any ChangesPort, outbox: any OutboxPort,
      broker: (port: any BrokerPort, visit: BrokerVisit)? = nil,
      web: [(plan: WebPlan, uploader: any UploadPort)] = [], bell: (any WakePort)? = nil
    ) {
      self.store = store
      self.outbox = outbox
      self.broker = broker
      self.web = web
      self.bell = bell
    }
  }

  public struct Ending: Equatable, Sendable {
    /// Over which ways nothing more went, and why.
    public var failures: [UplinkWay: String] = [:]
    /// Who got nothing more, though the way was open, and why.
    public var blocks: [Recipient: String] = [:]

    public init(failures: [UplinkWay: String] = [:], blocks: [Recipient: String] = [:]) {
      self.failures = failures
      self.blocks = blocks
    }
  }

  public struct Manner: Sendable {
    /// Whether to leave alone what failed a short time ago.
    public var heedsHolds: Bool
    /// Whether to stay connected when everything is said.
    public var stays: Bool

    public init(heedsHolds: Bool = false, stays: Bool = false) {
      self.heedsHolds = heedsHolds
      self.stays = stays
    }
  }

  /// Who stays looks at least so often whether there is something to do.
  private static let longestPause: Seconds = 900
  private let parts: Parts
  private let manner: Manner
  private let settings: UplinkSettings
  private let journal: RunJournal
  private let couriers: [any Courier]
  private let gathering: Gathering
  private let loop: PortLoop
  private var looksAt: BootInstant?
  private var isEnding = false

  public init(
    _ parts: Parts, _ settings: UplinkSettings, _ topics: UplinkTopics, _ manner: Manner,
    onLog: @escaping (LogEvent) -> Void
  ) throws(UplinkError) {
    self.parts = parts
    self.settings = settings
    self.manner = manner
    journal = try Self.asked { () throws(OutboxError) in
      try RunJournal(parts.outbox, chance: .random(in: 0...1), onLog: onLog)
    }
    couriers = Self.couriers(parts, settings, topics, manner, journal)
    gathering = Gathering(parts, settings, topics, onLog: onLog)
    do throws(EventLoopError) {
      loop = try PortLoop(couriers.flatMap(\.ports) + (parts.bell.map { [$0] } ?? []))
    } catch {
      throw UplinkError("the uplink cannot wait: \(error.message)")
    }
  }

  private static func couriers(
    _ parts: Parts, _ settings: UplinkSettings, _ topics: UplinkTopics, _ manner: Manner,
    _ journal: RunJournal
  ) -> [any Courier] {
    var couriers: [any Courier] = []
    if let (port, visit) = parts.broker {
      let recipients = settings.recipients.filter { $0.carrier == .broker }
      let plan = BrokerPlan(
        brokers: settings.mqtt.brokers, recipients: recipients,
        receiptTopic: recipients.contains(.collector) ? topics.received : nil,
        stays: manner.stays)
      couriers.append(
        BrokerCourier(plan, over: port, as: visit, from: parts.outbox, journal) {
          BootClock.systemDate
        })
    }
    if !parts.web.isEmpty {
      let lines = parts.web.map { WebCourier.Line(plan: $0.plan, uploader: $0.uploader) }
      couriers.append(
        WebCourier(lines, from: parts.outbox, journal) { BootClock.systemDate })
    }
    return couriers
  }

  /// - Returns: how the last visits ended.
  public func run() throws(UplinkError) -> Ending {
    _ = parts.bell?.drain()
    try gathering.gather()
    try Self.asked { () throws(OutboxError) in try visit() }
    loop.turn = { [unowned self] in turn() }
    do throws(EventLoopError) {
      try loop.run(signals: [SIGTERM, SIGINT]) { [unowned self] in isEnding = true }
    } catch {
      throw UplinkError("the uplink cannot wait: \(error.message)")
    }
    if let failure = loop.failure { throw failure }
    return Ending(failures: journal.failures, blocks: journal.blocks)
  }

  private func visit() throws(OutboxError) {
    try journal.write()
    for courier in couriers { try courier.visit(heedsHolds: manner.heedsHolds || manner.stays) }
    looksAt = manner.stays ? BootClock.now + nextPause : nil
  }

  /// Until the first way is open again that is left alone.
  private var nextPause: Seconds {
    let pauses = couriers.flatMap(\.ways).map { journal.pause(of: $0) }.filter { $0 > 0 }
    return min(pauses.min() ?? Self.longestPause, Self.longestPause)
  }

  // MARK: The loop

  /// Takes what others have said, and waits for what they wait for now.
  private func turn() {
    do throws(UplinkError) {
      let isCalled = parts.bell?.drain() == true
      let isDue = looksAt.map { $0 <= BootClock.now } ?? false
      if !isEnding, isCalled || isDue {
        try gathering.gather()
        try Self.asked { () throws(OutboxError) in try visit() }
      }
      try Self.asked { () throws(OutboxError) in try serve() }
    } catch {
      return loop.end(error)
    }
    loop.wait(until: ([looksAt] + couriers.map(\.wake)).compactMap { $0 }.min())
  }

  private func serve() throws(OutboxError) {
    for courier in couriers where isEnding && !courier.isIdle { try courier.end() }
    for courier in couriers { try courier.turn() }
    // What has failed just now is tried again when its pause is over.
    if let next = looksAt { looksAt = min(next, BootClock.now + nextPause) }
    guard couriers.allSatisfy(\.isIdle), isEnding || !manner.stays else { return }
    try journal.write()
    loop.end()
  }

  private static func asked<Answer>(
    _ body: () throws(OutboxError) -> Answer
  ) throws(UplinkError) -> Answer {
    do {
      return try body()
    } catch {
      throw UplinkError(error.message)
    }
  }
}
