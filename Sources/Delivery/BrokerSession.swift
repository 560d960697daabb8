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
  private var queues: [RecipientQueue]
  private var window = 0
  /// By the number of the first item.
  private var inFlight: [Int64: OutgoingMessage] = [:]
  /// Time of the last message, in either direction.
  private var lastMessageAt: BootInstant?
  /// Time of the broker's last acknowledgement, or when the first message was sent: messages from
  /// the broker do not prove that it accepts ours.
  private var lastReceipt: BootInstant?
  /// Since when the connection is to be closed.
  private var endsSince: BootInstant?
  private var isEnding: Bool { endsSince != nil }
  private var results = DeliveryResultQueue()
  private var awaitsReceiptSince: BootInstant?
  private var answers = AnswerQueue()
  private var followed: FollowedRecipients
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
    queues = plan.recipients.map { RecipientQueue($0, failures: plan.failures[$0] ?? 0) }
    followed = FollowedRecipients(plan.followed)
  }

  /// When `woke` is due; nil: no timer.
  public var wake: BootInstant? {
    guard phase == .talking else { return nil }
    let opens = isEnding ? [] : queues.map(\.nextAllowed)
    let own = [results.due, timeoutAt, leavesAt, triesAgainAt, connectionEnds, resubscribesAt]
    return (opens + own).compactMap { $0 }.min()
  }

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    switch event {
    case .begin: connect(to: 0, after: nil)
    case .broker(let event): handle(event, now)
    case .items(let recipient, let items): take(items, of: recipient, now)
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
      lastMessageAt = now
      lastReceipt = now
      incoming.noteReceipt()
      return acknowledge(number, reason, wasSent: true, now)
    case .received(let message):
      lastMessageAt = now
      return handle(message, now)
    case .disconnected: return storeResults(all: true, now) + over(nil)
    case .failed(let failure):
      if phase == .connecting {
        if !failure.isPassing { lastingFailure = lastingFailure ?? failure }
        return connect(to: current + 1, after: lastingFailure ?? failure)
      }
      return storeResults(all: true, now) + over(failure)
    }
  }

  private mutating func handleWelcome(_ welcome: BrokerEvent.Welcome, _ now: BootInstant)
    -> [Effect]
  {
    guard phase == .connecting else { return [] }
    phase = .talking
    lastMessageAt = now
    connectedAt = connectedAt ?? now
    window = min(welcome.receiveMaximum, BrokerSessionLimits.maxInFlight)
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
    awaitsReceiptSince = nil
    // Handovers have to be stored before they can count as received.
    return storeResults(all: true, now) + [.collected(receipt)] + checkTimers(now)
  }

  /// The broker queues other publishers' messages before its acknowledgements: an endless sender
  /// would keep all acknowledgements from the board. A new session has none of these messages.
  private mutating func stopListening(_ now: BootInstant) -> [Effect] {
    guard phase == .talking else { return [] }
    guard acceptsMessages else {
      return storeResults(all: true, now)
        + over(BrokerFailure(.flooded, at: plan.brokers[current]), leaves: true)
    }
    unsubscribedSince = now
    let topic = incoming.topic
    incoming = IncomingBudget()
    let settled = storeResults(all: true, now)
    forgetUnderWay()
    // Accepted messages are stored: the rest is sent again.
    for index in queues.indices { queues[index].tryAgain() }
    return settled + [.flooded(topic)] + connect(to: current, after: nil)
  }

  private mutating func forgetUnderWay() {
    inFlight = [:]
    answers.forget()
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

  /// Publishes as much as may be in flight, and fetches more if nothing is left.
  private mutating func publishNext(_ now: BootInstant) -> [Effect] {
    guard phase == .talking, !isEnding else { return [] }
    var effects = publishAnswers(now)
    for index in queues.indices {
      while queues[index].isOpen(at: now), hasRoom, let outgoing = queues[index].next() {
        inFlight[outgoing.number] = outgoing
        followed.got(outgoing.recipient)
        if inFlight.count == 1 {
          lastMessageAt = now
          lastReceipt = now
        }
        effects.append(.publish(outgoing.message, number: outgoing.number))
      }
      if queues[index].needsFetch {
        queues[index].beginFetch()
        effects.append(
          .fetch(
            queues[index].recipient, after: queues[index].lastFetched,
            atMost: RecipientQueue.portion))
      }
    }
    return effects
  }

  // MARK: Answering

  private mutating func answer(_ message: BrokerMessage, _ now: BootInstant) -> [Effect] {
    let isOver = allSentAt.map { $0 + BrokerSessionLimits.maxRequestWait <= now } ?? false
    guard phase == .talking, plan.staysConnected || worksUntil != nil || !isOver,
      answers.add(message)
    else { return [] }
    return publishNext(now) + checkTimers(now)
  }

  private mutating func publishAnswers(_ now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    // Endless requests leave room for the waiting messages.
    while hasRoom, let (message, number) = answers.next(besides: max(window / 2, 1)) {
      if inFlight.isEmpty, answers.count == 1 { lastReceipt = now }
      lastMessageAt = now
      effects.append(.publish(message, number: number))
    }
    return effects
  }

  private mutating func work(until end: BootInstant?, _ now: BootInstant) -> [Effect] {
    worksUntil = end
    return checkTimers(now)
  }

  private var hasRoom: Bool {
    inFlight.count + answers.count < window
      && inFlight.values.reduce(0) { $0 + $1.message.size } < BrokerSessionLimits.maxBytesInFlight
  }

  private mutating func take(_ items: [OutboxItem], of recipient: Recipient, _ now: BootInstant)
    -> [Effect]
  {
    guard let index = queues.firstIndex(where: { $0.recipient == recipient }) else { return [] }
    queues[index].receive(items)
    return publishNext(now) + checkTimers(now)
  }

  private mutating func renew(_ now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    followed.renew()
    for index in queues.indices {
      queues[index].renew()
      // There may be a subscriber meanwhile: a connection may stay for weeks.
      guard queues[index].isWorthTrying(at: now), !isUnderWay(queues[index].recipient) else {
        continue
      }
      // Accepted messages have to be stored first, or they would be sent again.
      effects += storeResults(all: true, now)
      queues[index].tryAgain()
    }
    return effects + publishNext(now) + finish(now)
  }

  /// When a blocked recipient is tried again, if the connection stays.
  private var triesAgainAt: BootInstant? {
    guard plan.staysConnected, !isEnding else { return nil }
    return queues.filter { !isUnderWay($0.recipient) }.compactMap(\.blockEnds).min()
  }

  /// Reports followed recipients for which nothing more is sent for the time being.
  private mutating func finish(_ now: BootInstant) -> [Effect] {
    guard phase == .talking, !isEnding else { return [] }
    let done = queues.filter { $0.isDone && !isUnderWay($0.recipient) }.map(\.recipient)
    let effects = followed.finish(done).map { Effect.finished($0.recipient, gotSome: $0.gotSome) }
    // Accepted messages have to be stored first: the receiver of the report reads what waits.
    return effects.isEmpty ? [] : storeResults(all: true, now) + effects
  }

  private mutating func acknowledge(
    _ number: Int64, _ reason: PublishReason, wasSent: Bool, _ now: BootInstant
  ) -> [Effect] {
    if let answer = answers.acknowledge(number) {
      return [.answered(answer, reason)] + publishNext(now) + checkTimers(now)
    }
    guard let outgoing = inFlight.removeValue(forKey: number),
      let index = queues.firstIndex(where: { $0.recipient == outgoing.recipient })
    else { return [] }
    var news: Effect?
    switch AcknowledgementMeaning(reason, of: outgoing) {
    case .accepted(let outcome):
      if outcome == .handedOver { awaitsReceiptSince = now }
      results.add(
        queues[index].accepted() + outgoing.items.map { DeliveryResult($0.number, outcome) },
        at: now)
      if queues[index].endFailure() { news = .unblocked(outgoing.recipient) }
    case .refused(let refusal):
      let after = queues[index].refused(outgoing, refusal, wasSent: wasSent, at: now)
      results.add(after.results, at: now)
      if after.hasStopped { news = .blocked(outgoing.recipient, refusal.why) }
    case .blocked(let text):
      if queues[index].stop(text, at: now) { news = .blocked(outgoing.recipient, text) }
    }
    return (news.map { [$0] } ?? []) + storeResults(all: false, now) + publishNext(now)
      + checkTimers(now)
  }

  private mutating func storeResults(all: Bool, _ now: BootInstant) -> [Effect] {
    let due = results.take(all: all, at: now)
    return due.isEmpty ? [] : [.storeResults(due)]
  }

  // MARK: Disconnecting

  private var hasSentAll: Bool {
    hasNoneInFlight && answers.hasSentAll && queues.allSatisfy(\.isDone)
  }

  private var hasNoneInFlight: Bool { inFlight.isEmpty && answers.hasNoneInFlight }

  private func isUnderWay(_ recipient: Recipient) -> Bool {
    inFlight.values.contains { $0.recipient == recipient }
  }

  private var timeoutAt: BootInstant? {
    guard !hasNoneInFlight else { return nil }
    let own = lastReceipt.map { $0 + BrokerSessionLimits.acknowledgementTimeout }
    return [own, endsSince.map { $0 + BrokerSessionLimits.disconnectTimeout }].compactMap { $0 }
      .min()
  }

  /// When there is nothing more to wait for.
  private var leavesAt: BootInstant? {
    guard !plan.staysConnected || isEnding else { return nil }
    if isEnding { return hasNoneInFlight ? lastMessageAt : nil }
    let latest = allSentAt.map { $0 + BrokerSessionLimits.maxRequestWait }
    guard hasNoneInFlight, hasSentAll else {
      // Repeated requests do not prolong the connection.
      let waitsForOthers = !inFlight.isEmpty || !queues.allSatisfy(\.isDone)
      return waitsForOthers ? nil : latest.map { max($0, worksUntil ?? $0) }
    }
    let messages = lastMessageAt.map { acceptsMessages ? $0 + BrokerSessionLimits.requestWait : $0 }
    let receipt = awaitsReceiptSince.map { $0 + BrokerSessionLimits.receiptTime }
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
    if inFlight.isEmpty, queues.allSatisfy(\.isDone) {
      allSentAt = allSentAt ?? now
      for index in queues.indices {
        guard let why = queues[index].pauseIfUnresolved(at: now) else { continue }
        effects.append(.blocked(queues[index].recipient, why))
      }
    }
    if let timeoutAt, timeoutAt <= now {
      // Incoming messages may delay the broker's acknowledgements.
      if incoming.isObstacle, acceptsMessages, !isEnding { return effects + stopListening(now) }
      let failure = BrokerFailure(.timedOut, at: plan.brokers[current])
      return effects + storeResults(all: true, now) + over(failure, leaves: true)
    }
    let finished = finish(now)
    guard finished.isEmpty, let leavesAt, leavesAt <= now else {
      return effects + storeResults(all: false, now) + finished
    }
    phase = .leaving
    return effects + storeResults(all: true, now) + [.disconnect]
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
    forgetUnderWay()
    return (leaves ? [.disconnect] : []) + [.ended(Ending(failure: failure))]
  }
}
