import Delivery
import Core
import Platform
import Ports

/// Sends what waits to MQTT brokers.
final class BrokerSender: Sender {
  private let plan: BrokerPlan
  private let broker: any BrokerPort
  private let identity: BrokerLogin
  private let outbox: any OutboxPort
  private let journal: RunJournal
  private let outboxUpdater: Gathering
  /// Nil: requests are disabled.
  private let mailbox: RequestInbox?
  /// Nil: no messages are exchanged with other people's boards.
  private let people: MessageRelay?
  /// The retained location for later subscribers; nil: none is published.
  var location: RetainedLocation?
  private var session: BrokerSession?
  private var subscriptions: Subscriptions
  private var isWorking = false
  /// Home Assistant starts rarely; a start message every second comes from elsewhere.
  private static let announcementPause: Seconds = 10
  private var announced: BootInstant?
  /// A broker may accept a connection and drop it at once: only one that has lasted this long
  /// counts.
  private static let proof: Seconds = 60
  private var connectedAt: BootInstant?
  /// By the number in the outbox, until settled.
  private var underWay: [Int64: Recipient] = [:]

  init(
    _ plan: BrokerPlan, over broker: any BrokerPort, as identity: BrokerLogin,
    from outbox: any OutboxPort, _ journal: RunJournal, _ gathering: Gathering,
    _ mailbox: RequestInbox?, _ people: MessageRelay?
  ) {
    self.plan = plan
    subscriptions = Subscriptions(plan)
    self.broker = broker
    self.identity = identity
    self.outbox = outbox
    self.journal = journal
    self.outboxUpdater = gathering
    self.mailbox = mailbox
    self.people = people
  }

  let transports = [UplinkTransport.brokers]
  var ports: [any EventPort] { [broker] }
  var isIdle: Bool { session == nil }
  var wake: BootInstant? {
    session.flatMap {
      [$0.wake, mailbox?.wake, worksAt, subscriptions.retriesAt].compactMap { $0 }.min()
    }
  }
  /// When a reported failure counts as over, if the connection lasts.
  private var worksAt: BootInstant? {
    guard let connectedAt, journal.failureCount(of: .brokers) > 0 else { return nil }
    return connectedAt + Self.proof
  }
  var traffic: [UplinkTransport: Traffic] { [.brokers: broker.traffic] }

  func connect(respectsBackOff: Bool) throws(PortError) {
    guard session == nil else { return try goOn() }
    guard !respectsBackOff || journal.pause(of: .brokers) <= 0 else { return }
    var plan = plan
    // A connection that stays retries blocked recipients by itself.
    if respectsBackOff, !plan.staysConnected {
      plan.recipients.removeAll { journal.pause(of: $0.ownTransport) > 0 }
    }
    for recipient in plan.recipients {
      plan.failures[recipient] = journal.failureCount(of: recipient.ownTransport)
    }
    journal.begin(.brokers)
    underWay = [:]
    people?.begin()
    plan.requestTopics += people?.newTopics() ?? []
    session = BrokerSession(plan)
    try step(.begin)
  }

  private func goOn() throws(PortError) {
    listen()
    try step(.newWork)
  }

  /// Subscribes to topics that are not subscribed to yet.
  private func listen() {
    guard session?.acceptsMessages == true, let topics = people?.newTopics(), !topics.isEmpty else {
      return
    }
    broker.subscribe(to: topics)
  }

  func step() throws(PortError) {
    if let wake = session?.wake, wake <= BootClock.now { try step(.woke) }
    try work()
    for _ in 0..<PortLoop.mostEvents {
      // Events are also drained without a session: a connection that is closing has its own
      // timeout.
      guard let event = broker.poll() else { break }
      guard session != nil else { continue }
      switch event {
      case .connected(let welcome): try connected(welcome)
      case .subscribed(let accepted, let refused): try subscribed(accepted, refused)
      default: break
      }
      try step(.broker(event))
    }
    let retried = session != nil ? subscriptions.retry(at: BootClock.now) : []
    if !retried.isEmpty { broker.subscribe(to: retried) }
    if let worksAt, worksAt <= BootClock.now { try journal.works(.brokers) }
    // Received messages may produce answers and new subscriptions.
    if people?.handOver() == true, session != nil { try goOn() }
  }

  private func subscribed(_ accepted: [String], _ refused: [String]) throws(PortError) {
    subscriptions.record(accepted: accepted, refused: refused, at: BootClock.now)
    for (way, why) in subscriptions.problems { try journal.subscriptionResult(way, unless: why) }
  }

  private func connected(_ welcome: BrokerEvent.Welcome) throws(PortError) {
    connectedAt = BootClock.now
    subscriptions.begin()
    for way in subscriptions.unused { try journal.works(way) }
    // Nothing else that is retained is lost if the session was discarded.
    if !welcome.hasSession, session?.acceptsMessages == true { people?.forgotten() }
  }

  /// Publishes answers that have become available.
  private func work() throws(PortError) {
    guard session != nil, let mailbox else { return }
    for answer in mailbox.poll() where journal.allows(answer) { try step(.answer(answer)) }
    guard isWorking || mailbox.wake != nil else { return }
    isWorking = mailbox.wake != nil
    try step(.working(until: mailbox.deadline))
  }

  func end() throws(PortError) { try step(.end) }

  private func step(_ event: BrokerSession.Event) throws(PortError) {
    var events = [event]
    while !events.isEmpty, session != nil {
      for effect in session?.step(events.removeFirst(), at: BootClock.now) ?? [] {
        if let more = try perform(effect) { events.append(more) }
      }
    }
  }

  private func perform(
    _ effect: BrokerSession.Effect
  ) throws(PortError) -> BrokerSession.Event? {
    switch effect {
    case .connect(let address): return connect(to: address, as: identity)
    case .connectAnew(let address):
      var identity = identity
      identity.discardsSession = true
      return connect(to: address, as: identity)
    case .flooded(let topic):
      journal.warn(
        "flooded",
        "a connection receives too much, lately under \(TerminalText.line(topic)): incoming "
          + "messages are dropped, and waiting ones are sent first; check who may publish there")
    case .listenAgain:
      people?.resubscribe()
      listen()
    case .blocked(let recipient, let why): try journal.blocked(recipient, why)
    case .unblocked(let recipient): try journal.works(recipient.ownTransport)
    case .subscribe(let topics): broker.subscribe(to: topics)
    case .fetch(let recipient, let number, let most):
      let items = try waiting(for: recipient, after: number, atMost: most)
      for item in items { underWay[item.number] = recipient }
      return .items(recipient, items)
    case .publish(let message, let number): return publish(message, number)
    case .storeResults(let settlements):
      for settlement in settlements { count(settlement) }
      let rest = people?.handleResults(settlements) ?? settlements
      if !rest.isEmpty { try outbox.confirm(rest, at: BootClock.systemDate) }
    case .collected(let receipt): _ = try outbox.collected(receipt, at: BootClock.systemDate)
    case .received(let message): return try handle(message)
    case .finished(_, let gotSome):
      guard let message = try location?.message(isOverwritten: gotSome) else { return nil }
      guard journal.allows(message) else {
        location?.forgetUnderWay()
        return nil
      }
      return .answer(message)
    case .answered(let answer, let reason): try answered(answer, reason)
    case .disconnect: broker.disconnect()
    case .ended(let ending): try ended(ending)
    }
    return nil
  }

  /// Letters and the like wait in the store, everything else in the outbox.
  private func waiting(
    for recipient: Recipient, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem] {
    guard recipient.traits.contains(.waitsInStore) else {
      return try journal.waiting(for: recipient, after: number, atMost: most)
    }
    return journal.allowed(people?.items(after: number, atMost: most) ?? [])
  }

  /// Any client with write access may have sent the message: the answer is limited to what the
  /// settings allow.
  private func handle(
    _ message: BrokerEvent.Message
  ) throws(PortError) -> BrokerSession.Event? {
    if let people, people.accepts(message) {
      people.handle(message)
      return nil
    }
    if message.topic == HomeAssistantDispatch.statusTopic {
      let now = BootClock.now
      guard message.payload == HomeAssistantDispatch.online, !message.isRetained,
        announced.map({ now - $0 > Self.announcementPause }) ?? true
      else { return nil }
      announced = now
      outboxUpdater.announceAgain()
      try outboxUpdater.inform()
      return .newWork
    }
    let answer = mailbox?.handle(message)
    for trouble in mailbox?.drainTroubles() ?? [] { journal.complain("asked-too-much", trouble) }
    guard let answer, journal.allows(answer) else { return nil }
    return .answer(answer)
  }

  private func connect(
    to address: BrokerAddress, as identity: BrokerLogin
  ) -> BrokerSession.Event? {
    location?.forgetUnderWay()
    guard address.isSecure, !CertificateTime.isPossible(BootClock.systemDate) else {
      broker.connect(to: address, as: identity)
      return nil
    }
    return .broker(.failed(BrokerFailure(.certificateNotYetValid, at: address)))
  }

  private func publish(_ message: BrokerMessage, _ number: Int64) -> BrokerSession.Event? {
    broker.publish(message, number: number).map { .unsent(number: number, $0) }
  }

  private func answered(_ answer: BrokerMessage, _ reason: PublishReason) throws(PortError) {
    // A broker keeps a retained message for later subscribers.
    if reason == .success || answer.isRetained && reason == .noSubscribers {
      try location?.acknowledged(answer)
    } else {
      // The requester can repeat the request; a rejected answer is for the owner to fix.
      journal.refused(answer, reason)
    }
  }

  private func count(_ settlement: DeliveryResult) {
    guard let recipient = underWay.removeValue(forKey: settlement.number) else { return }
    switch settlement.outcome {
    case .handedOver, .received: journal.sent(1, to: recipient)
    // A letter stays in the store; the relay logs the refusal.
    case .refused where recipient.traits.contains(.waitsInStore): break
    case .refused(let why): journal.refused(recipient, why)
    case .failed: break
    }
  }

  private func ended(_ ending: BrokerSession.Ending) throws(PortError) {
    session = nil
    defer { connectedAt = nil }
    if let failure = ending.failure {
      try journal.failed(.brokers, failure.message)
    } else if connectedAt != nil {
      try journal.works(.brokers)
    }
  }
}
