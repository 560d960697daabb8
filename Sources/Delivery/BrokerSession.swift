import Core

/// One connection to a broker: connects to the first one available, publishes what waits, receives
/// requests and disconnects. It is a pure state machine: `step` handles an event and returns the
/// effects.
public struct BrokerSession: Sendable {
  public enum Event: Sendable {
    case begin
    case broker(BrokerEvent)
    /// The answer to `fetch`.
    case items(Recipient, [OutboxItem])
    /// The answer to a remote request.
    case answer(BrokerMessage)
    /// A message was not even sent.
    case unsent(number: Int64, PublishReason)
    /// Work on an answer lasts at most until then; nil: there is none any more.
    case working(until: BootInstant?)
    /// The outbox may have new messages.
    case newWork
    /// The time of `wake` has come.
    case woke
    /// Disconnect soon.
    case end
  }

  public typealias Effect = BrokerSessionEffect

  public struct Ending: Equatable, Sendable {
    /// Nil: everything that could be sent was sent.
    public var failure: BrokerFailure?
  }

  private enum Phase { case idle, connecting, talking, leaving, over }

  private let plan: BrokerPlan
  private var phase = Phase.idle
  /// The first failure that the owner has to mend; one that passes by itself does not replace it.
  private var lastingFailure: BrokerFailure?
  /// Index of the present broker.
  private var current = 0
  private var outgoing: OutgoingMessages
  /// Time of the last message from the broker.
  private var lastReceived: BootInstant?
  /// Since when the connection is to be closed.
  private var endsSince: BootInstant?
  private var isEnding: Bool { endsSince != nil }
  private var worksUntil: BootInstant?
  /// When everything that waited had been sent for the first time.
  private var allSentAt: BootInstant?
  private var connectedAt: BootInstant?
  private var incoming = IncomingBudget()
  /// Since when incoming messages are not accepted.
  private var unsubscribedSince: BootInstant?
  /// Whether incoming messages are accepted.
  public var acceptsMessages: Bool { unsubscribedSince == nil }

  public init(_ plan: BrokerPlan) {
    self.plan = plan
    outgoing = OutgoingMessages(plan)
  }

  /// When `woke` is due; nil: no timer.
  public var wake: BootInstant? {
    guard phase == .talking else { return nil }
    let opens = isEnding ? nil : outgoing.nextAllowed
    let due = outgoing.resultsDue
    return [opens, due, timeoutAt, leavesAt, triesAgainAt, connectionEnds, resubscribesAt]
      .compactMap { $0 }.min()
  }

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    switch event {
    case .begin: connect(to: 0, after: nil)
    case .broker(let event): handle(event, now)
    case .items(let recipient, let items):
      outgoing.receive(items, of: recipient) ? publishNext(now) + checkTimers(now) : []
    case .answer(let message): answer(message, now)
    case .unsent(let number, let reason): acknowledge(number, reason, wasSent: false, now)
    case .working(let end): work(until: end, now)
    case .newWork: renew(now)
    case .woke:
      (triesAgainAt.map { $0 <= now } == true ? renew(now) : publishNext(now)) + checkTimers(now)
    case .end: end(now)
    }
  }

  // MARK: Connecting

  private mutating func connect(to index: Int, after failure: BrokerFailure?) -> [Effect] {
    if index == 0 { lastingFailure = nil }
    guard index < plan.brokers.count else { return over(failure) }
    phase = .connecting
    current = index
    return [acceptsMessages ? .connect(plan.brokers[index]) : .connectAnew(plan.brokers[index])]
  }

  private mutating func handle(_ event: BrokerEvent, _ now: BootInstant) -> [Effect] {
    switch event {
    case .connected(let welcome): return handleWelcome(welcome, now)
    case .subscribed: return checkTimers(now)
    case .acknowledged(let number, let reason):
      lastReceived = now
      incoming.noteReceipt()
      return acknowledge(number, reason, wasSent: true, now)
    case .received(let message):
      lastReceived = now
      return handle(message, now)
    case .disconnected: return outgoing.storeResults(all: true, at: now) + over(nil)
    case .failed(let failure):
      if phase == .connecting {
        if !failure.isPassing { lastingFailure = lastingFailure ?? failure }
        return connect(to: current + 1, after: lastingFailure ?? failure)
      }
      return outgoing.storeResults(all: true, at: now) + over(failure)
    }
  }

  private mutating func handleWelcome(_ welcome: BrokerEvent.Welcome, _ now: BootInstant)
    -> [Effect]
  {
    guard phase == .connecting else { return [] }
    phase = .talking
    lastReceived = now
    connectedAt = connectedAt ?? now
    outgoing.setWindow(welcome.receiveMaximum)
    let topics =
      (acceptsMessages ? plan.requestTopics : []) + (plan.receiptTopic.map { [$0] } ?? [])
    return (topics.isEmpty ? [] : [.subscribe(topics)]) + publishNext(now)
  }

  private mutating func handle(_ message: BrokerEvent.Message, _ now: BootInstant) -> [Effect] {
    guard incoming.take(message, at: now) else { return stopListening(now) }
    guard message.topic == plan.receiptTopic else {
      return (acceptsMessages ? [.received(message)] : []) + checkTimers(now)
    }
    // Anyone may have written there: anything but a receipt is ignored.
    guard let receipt = CollectorReceipt(message) else { return checkTimers(now) }
    return outgoing.receive(receipt, at: now) + checkTimers(now)
  }

  /// The broker queues other publishers' messages before its acknowledgements: an endless sender
  /// would keep all acknowledgements from the board. A new session has none of these messages.
  private mutating func stopListening(_ now: BootInstant) -> [Effect] {
    guard phase == .talking else { return [] }
    guard acceptsMessages else {
      return outgoing.storeResults(all: true, at: now)
        + over(BrokerFailure(.flooded, at: plan.brokers[current]), leaves: true)
    }
    unsubscribedSince = now
    let topic = incoming.topic
    incoming = IncomingBudget()
    let settled = outgoing.storeResults(all: true, at: now)
    // Accepted messages are stored: the rest is sent again.
    outgoing.startAgain()
    return settled + [.flooded(topic)] + connect(to: current, after: nil)
  }

  private var resubscribesAt: BootInstant? {
    plan.staysConnected && !isEnding
      ? unsubscribedSince.map { $0 + BrokerSessionLimits.resubscribeDelay } : nil
  }

  private mutating func listenAgain(_ now: BootInstant) -> [Effect] {
    guard let resubscribesAt, resubscribesAt <= now else { return [] }
    unsubscribedSince = nil
    incoming = IncomingBudget()
    return (plan.requestTopics.isEmpty ? [] : [.subscribe(plan.requestTopics)]) + [.listenAgain]
  }

  // MARK: Publishing

  private mutating func publishNext(_ now: BootInstant) -> [Effect] {
    guard phase == .talking, !isEnding else { return [] }
    return outgoing.publish(at: now)
  }

  private mutating func answer(_ message: BrokerMessage, _ now: BootInstant) -> [Effect] {
    let isOver = allSentAt.map { $0 + BrokerSessionLimits.maxRequestWait <= now } ?? false
    guard phase == .talking, plan.staysConnected || worksUntil != nil || !isOver,
      outgoing.add(answer: message)
    else { return [] }
    return publishNext(now) + checkTimers(now)
  }

  private mutating func work(until end: BootInstant?, _ now: BootInstant) -> [Effect] {
    worksUntil = end
    return checkTimers(now)
  }

  private mutating func renew(_ now: BootInstant) -> [Effect] {
    outgoing.renew(at: now) + publishNext(now) + finish(now)
  }

  /// When a blocked recipient is tried again, if the connection stays.
  private var triesAgainAt: BootInstant? {
    plan.staysConnected && !isEnding ? outgoing.blockEnds : nil
  }

  private mutating func finish(_ now: BootInstant) -> [Effect] {
    phase == .talking && !isEnding ? outgoing.finish(at: now) : []
  }

  private mutating func acknowledge(
    _ number: Int64, _ reason: PublishReason, wasSent: Bool, _ now: BootInstant
  ) -> [Effect] {
    guard let effects = outgoing.acknowledge(number, reason, wasSent: wasSent, at: now)
    else { return [] }
    return effects + publishNext(now) + checkTimers(now)
  }

  // MARK: Disconnecting

  private var timeoutAt: BootInstant? {
    guard let due = outgoing.acknowledgementDue else { return nil }
    return endsSince.map { min(due, $0 + BrokerSessionLimits.disconnectTimeout) } ?? due
  }

  /// When there is nothing more to wait for.
  private var leavesAt: BootInstant? {
    guard !plan.staysConnected || isEnding else { return nil }
    let lastMessageAt = [lastReceived, outgoing.lastSent].compactMap { $0 }.max()
    if isEnding { return outgoing.hasNoneInFlight ? lastMessageAt : nil }
    let latest = allSentAt.map { $0 + BrokerSessionLimits.maxRequestWait }
    guard outgoing.hasSentAll else {
      // Repeated requests do not prolong the connection.
      return outgoing.hasSentItems ? latest.map { max($0, worksUntil ?? $0) } : nil
    }
    // Where nothing can arrive, the radio need not stay on.
    let listens =
      acceptsMessages && (!plan.requestTopics.isEmpty || outgoing.expectsEarlierReceipt)
    let messages = lastMessageAt.map { listens ? $0 + BrokerSessionLimits.requestWait : $0 }
    let receipt = outgoing.awaitsReceiptSince.map { $0 + BrokerSessionLimits.receiptTime }
    let end = [messages, receipt].compactMap { $0 }.max()
    return [[end, latest].compactMap { $0 }.min(), worksUntil].compactMap { $0 }.max()
  }

  private var connectionEnds: BootInstant? {
    plan.staysConnected || isEnding ? nil : connectedAt.map { $0 + BrokerSessionLimits.maxDuration }
  }

  /// Checks all timeouts.
  private mutating func checkTimers(_ now: BootInstant) -> [Effect] {
    guard phase == .talking else { return [] }
    if let connectionEnds, connectionEnds <= now { endsSince = now }
    var effects = listenAgain(now)
    if outgoing.hasSentItems {
      allSentAt = allSentAt ?? now
      effects += outgoing.pauseUnresolved(at: now)
    }
    if let timeoutAt, timeoutAt <= now {
      // Incoming messages may delay the broker's acknowledgements.
      if incoming.isObstacle, acceptsMessages, !isEnding { return effects + stopListening(now) }
      let failure = BrokerFailure(.timedOut, at: plan.brokers[current])
      return effects + outgoing.storeResults(all: true, at: now) + over(failure, leaves: true)
    }
    let finished = finish(now)
    guard finished.isEmpty, let leavesAt, leavesAt <= now else {
      return effects + outgoing.storeResults(all: false, at: now) + finished
    }
    phase = .leaving
    return effects + outgoing.storeResults(all: true, at: now) + [.disconnect]
  }

  private mutating func end(_ now: BootInstant) -> [Effect] {
    endsSince = endsSince ?? now
    guard phase == .talking else {
      return phase == .leaving || phase == .over ? [] : over(nil, leaves: true)
    }
    return checkTimers(now)
  }

  private mutating func over(_ failure: BrokerFailure?, leaves: Bool = false) -> [Effect] {
    phase = .over
    outgoing.forgetInFlight()
    return (leaves ? [.disconnect] : []) + [.ended(Ending(failure: failure))]
  }
}
