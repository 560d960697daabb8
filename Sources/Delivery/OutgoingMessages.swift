import Core

/// What one connection publishes: the messages that wait for each recipient, and answers to
/// requests. Only some are in flight at a time; the results of acknowledged messages are stored
/// several together.
struct OutgoingMessages: Sendable {
  typealias Effect = BrokerSessionEffect

  private var queues: [RecipientQueue]
  private var answers = AnswerQueue()
  private var followed: FollowedRecipients
  private var results = DeliveryResultQueue()
  /// How many may be in flight.
  private var window = 0
  /// By the number of the first item.
  private var inFlight: [Int64: OutgoingMessage] = [:]
  /// When the last answer was published, or a message while no other was in flight.
  private(set) var lastSent: BootInstant?
  /// Time of the broker's last acknowledgement, or when the first message was sent: messages from
  /// the broker do not prove that it accepts ours.
  private var lastReceipt: BootInstant?
  /// When messages were last handed over to a collector; nil: its receipt has come since.
  private(set) var awaitsReceiptSince: BootInstant?
  /// Whether a receipt for what an earlier connection handed over may still come.
  private(set) var expectsEarlierReceipt: Bool

  init(_ plan: BrokerPlan) {
    expectsEarlierReceipt = plan.receiptTopic != nil
    queues = plan.recipients.map { RecipientQueue($0, failures: plan.failures[$0] ?? 0) }
    followed = FollowedRecipients(plan.followed)
  }

  /// Whether nothing more will come from the outbox, and nothing of it is in flight.
  var hasSentItems: Bool { inFlight.isEmpty && queues.allSatisfy(\.isDone) }
  var hasSentAll: Bool { hasSentItems && answers.hasSentAll }
  var hasNoneInFlight: Bool { inFlight.isEmpty && answers.hasNoneInFlight }

  /// When the next message may be published; nil: there is none, or it need not wait.
  var nextAllowed: BootInstant? { queues.compactMap(\.nextAllowed).min() }
  /// When results are to be stored.
  var resultsDue: BootInstant? { results.due }
  /// When the broker counts as lost; nil: nothing is in flight.
  var acknowledgementDue: BootInstant? {
    hasNoneInFlight ? nil : lastReceipt.map { $0 + BrokerSessionLimits.acknowledgementTimeout }
  }
  /// When to try a blocked recipient again.
  var blockEnds: BootInstant? {
    queues.filter { !isUnderWay($0.recipient) }.compactMap(\.blockEnds).min()
  }

  private func isUnderWay(_ recipient: Recipient) -> Bool {
    inFlight.values.contains { $0.recipient == recipient }
  }

  // MARK: Publishing

  mutating func setWindow(_ most: Int) { window = min(most, BrokerSessionLimits.maxInFlight) }

  /// Publishes as much as may be in flight, and fetches more if nothing is left.
  mutating func publish(at now: BootInstant) -> [Effect] {
    var effects = publishAnswers(at: now)
    for index in queues.indices {
      while queues[index].isOpen(at: now), hasRoom, let outgoing = queues[index].next() {
        inFlight[outgoing.number] = outgoing
        followed.got(outgoing.recipient)
        if inFlight.count == 1 {
          lastSent = now
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

  private mutating func publishAnswers(at now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    // Endless requests leave room for the waiting messages.
    while hasRoom, let (message, number) = answers.next(besides: max(window / 2, 1)) {
      if inFlight.isEmpty, answers.count == 1 { lastReceipt = now }
      lastSent = now
      effects.append(.publish(message, number: number))
    }
    return effects
  }

  private var hasRoom: Bool {
    inFlight.count + answers.count < window
      && inFlight.values.reduce(0) { $0 + $1.message.size } < BrokerSessionLimits.maxBytesInFlight
  }

  /// - Returns: whether there is room for it.
  mutating func add(answer: BrokerMessage) -> Bool { answers.add(answer) }

  /// - Returns: whether the recipient is served here.
  mutating func receive(_ items: [OutboxItem], of recipient: Recipient) -> Bool {
    guard let index = queues.firstIndex(where: { $0.recipient == recipient }) else { return false }
    queues[index].receive(items)
    return true
  }

  /// The outbox may have more, and blocked recipients may be due.
  mutating func renew(at now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    followed.renew()
    for index in queues.indices {
      queues[index].renew()
      // There may be a subscriber meanwhile: a connection may stay for weeks.
      guard queues[index].isWorthTrying(at: now), !isUnderWay(queues[index].recipient) else {
        continue
      }
      // Accepted messages have to be stored first, or they would be sent again.
      effects += storeResults(all: true, at: now)
      queues[index].tryAgain()
    }
    return effects
  }

  /// Begins with the first waiting message again, on another connection.
  mutating func startAgain() {
    forgetInFlight()
    for index in queues.indices { queues[index].tryAgain() }
  }

  mutating func forgetInFlight() {
    inFlight = [:]
    answers.forget()
  }

  // MARK: What comes of it

  /// - Parameter wasSent: whether it was sent to the broker.
  /// - Returns: nil: there is no message of that number.
  mutating func acknowledge(
    _ number: Int64, _ reason: PublishReason, wasSent: Bool, at now: BootInstant
  ) -> [Effect]? {
    if wasSent { lastReceipt = now }
    if let answer = answers.acknowledge(number) { return [.answered(answer, reason)] }
    guard let outgoing = inFlight.removeValue(forKey: number),
      let index = queues.firstIndex(where: { $0.recipient == outgoing.recipient })
    else { return nil }
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
    return (news.map { [$0] } ?? []) + storeResults(all: false, at: now)
  }

  mutating func receive(_ receipt: CollectorReceipt, at now: BootInstant) -> [Effect] {
    awaitsReceiptSince = nil
    expectsEarlierReceipt = false
    // Handovers have to be stored before they can count as received.
    return storeResults(all: true, at: now) + [.collected(receipt)]
  }

  /// Reports recipients whose refused messages wait, after everything was tried.
  mutating func pauseUnresolved(at now: BootInstant) -> [Effect] {
    queues.indices.compactMap { index in
      queues[index].pauseIfUnresolved(at: now).map { Effect.blocked(queues[index].recipient, $0) }
    }
  }

  /// Reports followed recipients for which nothing more is sent for the time being.
  mutating func finish(at now: BootInstant) -> [Effect] {
    let done = queues.filter { $0.isDone && !isUnderWay($0.recipient) }.map(\.recipient)
    let effects = followed.finish(done).map { Effect.finished($0.recipient, gotSome: $0.gotSome) }
    // Accepted messages have to be stored first: the receiver of the report reads what waits.
    return effects.isEmpty ? [] : storeResults(all: true, at: now) + effects
  }

  mutating func storeResults(all: Bool, at now: BootInstant) -> [Effect] {
    let due = results.take(all: all, at: now)
    return due.isEmpty ? [] : [.storeResults(due)]
  }
}
