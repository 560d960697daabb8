import Quantities

/// One visit to a broker: connect to the first that is there, say what waits, hear what is asked,
/// leave with a word. Decides alone; `step` takes what has happened and answers with what is to be
/// done.
public struct BrokerSession: Sendable {
  public enum Event: Sendable {
    case begin
    case broker(BrokerEvent)
    /// The answer to `fetch`.
    case items(Recipient, [OutboxItem])
    /// To somebody who has asked.
    case answer(BrokerMessage)
    /// An answer is worked at until then; nil: none is any more.
    case working(until: BootInstant?)
    /// Something may be in the outbox that was not before.
    case newWork
    /// `wake` is over.
    case woke
    /// Leave soon.
    case end
  }

  public enum Effect: Equatable, Sendable {
    case connect(BrokerAddress)
    case subscribe([String])
    case fetch(Recipient, after: Int64, atMost: Int)
    case publish(BrokerMessage, number: Int64)
    case settle([Settlement])
    case collected(CollectorReceipt)
    /// Somebody has sent us something.
    case hear(BrokerEvent.Message)
    /// Somebody who is followed gets nothing more for the time being, and got something before.
    case finished(Recipient, gotSome: Bool)
    /// The broker has not taken an answer.
    case answerRefused(BrokerMessage, PublishReason)
    case disconnect
    case ended(Ending)
  }

  public struct Ending: Equatable, Sendable {
    /// Nil: everything was said that could be.
    public var failure: BrokerFailure?
    /// Who got nothing more, and why.
    public var blocks: [Recipient: String]

    public init(failure: BrokerFailure? = nil, blocks: [Recipient: String] = [:]) {
      self.failure = failure
      self.blocks = blocks
    }
  }

  /// Under way at once, whatever more a broker would take: it is all in memory, twice.
  static let mostUnderWay = 20
  /// Bytes; half of what a port has room for.
  static let mostBytesUnderWay = 4_194_304
  /// Without an acknowledgement for so long, the connection is none.
  static let patience: Seconds = 30
  /// The same when the visit is to end: a service has 15 s for it.
  static let leavingPatience: Seconds = 5
  /// For requests that have waited for us, after the last word.
  static let mailTime: Seconds = 2
  /// However much comes in: whoever publishes to the board must not keep it awake.
  static let longestMailTime: Seconds = 60
  /// For a collector's receipt for what it was handed.
  static let receiptTime: Seconds = 10
  /// So many are put on the disk together, or after so long.
  static let mostUnsettled = 64
  static let settlingTime: Seconds = 0.5

  private enum Phase { case idle, connecting, talking, leaving, over }

  private let plan: BrokerPlan
  private var phase = Phase.idle
  /// Which of the brokers it is.
  private var current = 0
  private var queues: [RecipientQueue]
  private var window = 0
  /// By the number of the first item.
  private var underWay: [Int64: Parcel] = [:]
  /// What was last said or heard.
  private var lastWord: BootInstant?
  /// When the broker last acknowledged something, or something was first put under way: what it
  /// sends by itself is no sign that it takes what it is sent.
  private var lastReceipt: BootInstant?
  /// Since when somebody wants the visit to end.
  private var endsSince: BootInstant?
  private var isEnding: Bool { endsSince != nil }
  private var unsettled: [Settlement] = []
  private var unsettledSince: BootInstant?
  private var awaitsReceiptSince: BootInstant?
  /// Numbers of answers count down from -1: they are in no outbox.
  private var answers: [BrokerMessage] = []
  private var answered: Int64 = 0
  private var answersUnderWay: [Int64: BrokerMessage] = [:]
  /// Of those who are followed: who may get more, and who got something since that was last said.
  private var unfinished: Set<Recipient>
  private var given: Set<Recipient> = []
  private var worksUntil: BootInstant?
  /// When what waited was said the first time.
  private var saidAll: BootInstant?

  /// Whoever asks for more is not answered: they wait for what they have asked.
  private static let mostAnswers = 100

  public init(_ plan: BrokerPlan) {
    self.plan = plan
    queues = plan.recipients.map { RecipientQueue($0) }
    unfinished = plan.followed
  }

  /// When it wants to be woken; nil: not by itself.
  public var wake: BootInstant? {
    guard phase == .talking else { return nil }
    let opens = isEnding ? nil : queues.compactMap(\.opens).min()
    return [unsettledSince.map { $0 + Self.settlingTime }, patienceEnds, leavesAt, opens]
      .compactMap { $0 }.min()
  }

  public mutating func step(_ event: Event, at now: BootInstant) -> [Effect] {
    switch event {
    case .begin: connect(to: 0, after: nil)
    case .broker(let event): hear(event, now)
    case .items(let recipient, let items):
      take(items, of: recipient, now)
    case .answer(let message): answer(message, now)
    case .working(let end): work(until: end, now)
    case .newWork:
      renew(now)
    case .woke: go(now) + look(now)
    case .end: end(now)
    }
  }

  // MARK: Coming

  private mutating func connect(to index: Int, after failure: BrokerFailure?) -> [Effect] {
    guard index < plan.brokers.count else { return over(failure) }
    phase = .connecting
    current = index
    return [.connect(plan.brokers[index])]
  }

  private mutating func hear(_ event: BrokerEvent, _ now: BootInstant) -> [Effect] {
    switch event {
    case .connected(let welcome): return greet(welcome, now)
    case .subscribed: return look(now)
    case .acknowledged(let number, let reason):
      lastWord = now
      lastReceipt = now
      return acknowledge(number, reason, now)
    case .received(let message):
      lastWord = now
      return hear(message, now)
    case .left: return settle(all: true, now) + over(nil)
    case .failed(let failure):
      if phase == .connecting { return connect(to: current + 1, after: failure) }
      return settle(all: true, now) + over(failure)
    }
  }

  private mutating func greet(_ welcome: BrokerEvent.Welcome, _ now: BootInstant) -> [Effect] {
    guard phase == .connecting else { return [] }
    phase = .talking
    lastWord = now
    window = min(welcome.receiveMaximum, Self.mostUnderWay)
    let topics = plan.requestTopics + (plan.receiptTopic.map { [$0] } ?? [])
    return (topics.isEmpty ? [] : [.subscribe(topics)]) + go(now)
  }

  private mutating func hear(
    _ message: BrokerEvent.Message, _ now: BootInstant
  ) -> [Effect] {
    guard message.topic == plan.receiptTopic else { return [.hear(message)] + look(now) }
    // Anybody may have written there: what is no receipt is none.
    guard let receipt = CollectorReceipt(parsing: message.payload) else { return look(now) }
    awaitsReceiptSince = nil
    // What was handed over has to stand before it counts as received.
    return settle(all: true, now) + [.collected(receipt)] + look(now)
  }

  // MARK: Saying

  /// Publishes as much as may be under way, and asks for more where nothing is left.
  private mutating func go(_ now: BootInstant) -> [Effect] {
    guard phase == .talking, !isEnding else { return [] }
    var effects = say(now)
    for index in queues.indices {
      while queues[index].isOpen(at: now), hasRoom, let parcel = queues[index].next() {
        underWay[parcel.number] = parcel
        given.insert(parcel.recipient)
        if underWay.count == 1 {
          lastWord = now
          lastReceipt = now
        }
        effects.append(.publish(parcel.message, number: parcel.number))
      }
      if queues[index].isHungry {
        queues[index].ask()
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
    guard phase == .talking, answers.count < Self.mostAnswers else { return [] }
    answers.append(message)
    return go(now) + look(now)
  }

  private mutating func say(_ now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    while hasRoom, !answers.isEmpty {
      answered -= 1
      if isQuiet { lastReceipt = now }
      let message = answers.removeFirst()
      answersUnderWay[answered] = message
      lastWord = now
      effects.append(.publish(message, number: answered))
    }
    return effects
  }

  private mutating func work(until end: BootInstant?, _ now: BootInstant) -> [Effect] {
    worksUntil = end
    return look(now)
  }

  private var hasRoom: Bool {
    underWay.count + answersUnderWay.count < window
      && underWay.values.reduce(0) { $0 + $1.message.size } < Self.mostBytesUnderWay
  }

  private mutating func take(
    _ items: [OutboxItem], of recipient: Recipient, _ now: BootInstant
  ) -> [Effect] {
    guard let index = queues.firstIndex(where: { $0.recipient == recipient }) else { return [] }
    queues[index].take(items)
    return go(now) + look(now)
  }

  private mutating func renew(_ now: BootInstant) -> [Effect] {
    var effects: [Effect] = []
    unfinished = plan.followed
    for index in queues.indices {
      queues[index].renew()
      // A subscriber may have come meanwhile: a connection that stays may stay for weeks.
      guard queues[index].isWorthTrying(at: now),
        !underWay.values.contains(where: { $0.recipient == queues[index].recipient })
      else { continue }
      // What was taken has to stand first, or it would go out again.
      effects += settle(all: true, now)
      queues[index].tryAgain()
    }
    return effects + go(now) + finish(now)
  }

  /// Whoever is followed and gets nothing more for the time being.
  private mutating func finish(_ now: BootInstant) -> [Effect] {
    guard phase == .talking, !isEnding else { return [] }
    var effects: [Effect] = []
    for queue in queues where unfinished.contains(queue.recipient) && queue.isDone {
      let recipient = queue.recipient
      guard !underWay.values.contains(where: { $0.recipient == recipient }) else { continue }
      unfinished.remove(recipient)
      effects.append(.finished(recipient, gotSome: given.remove(recipient) != nil))
    }
    // What was taken has to stand first: who is told looks at what waits.
    return effects.isEmpty ? [] : settle(all: true, now) + effects
  }

  private mutating func acknowledge(
    _ number: Int64, _ reason: PublishReason, _ now: BootInstant
  ) -> [Effect] {
    if let answer = answersUnderWay.removeValue(forKey: number) {
      // Who has asked asks again; that the broker does not let it through is for the owner to mend.
      let refusal: [Effect] = reason.isTaken ? [] : [.answerRefused(answer, reason)]
      return refusal + go(now) + look(now)
    }
    guard let parcel = underWay.removeValue(forKey: number) else { return [] }
    switch Verdict(reason, of: parcel) {
    case .taken(let outcome):
      if outcome == .handedOver { awaitsReceiptSince = now }
      note(parcel.numbers.map { Settlement($0, outcome) }, now)
    case .never(let text): note(parcel.numbers.map { Settlement($0, .refused(text)) }, now)
    case .notNow(let text):
      for index in queues.indices where queues[index].recipient == parcel.recipient {
        queues[index].stop(text, at: now)
      }
    }
    return settle(all: false, now) + go(now) + look(now)
  }

  private mutating func note(_ settlements: [Settlement], _ now: BootInstant) {
    unsettled += settlements
    if unsettledSince == nil { unsettledSince = now }
  }

  private mutating func settle(all: Bool, _ now: BootInstant) -> [Effect] {
    let isDue = unsettledSince.map { $0 + Self.settlingTime <= now } ?? false
    guard !unsettled.isEmpty, all || isDue || unsettled.count >= Self.mostUnsettled else {
      return []
    }
    defer {
      unsettled = []
      unsettledSince = nil
    }
    return [.settle(unsettled)]
  }

  // MARK: Leaving

  private var hasSaidAll: Bool { isQuiet && answers.isEmpty && queues.allSatisfy(\.isDone) }

  private var isQuiet: Bool { underWay.isEmpty && answersUnderWay.isEmpty }

  private var patienceEnds: BootInstant? {
    guard !isQuiet else { return nil }
    let own = lastReceipt.map { $0 + Self.patience }
    return [own, endsSince.map { $0 + Self.leavingPatience }].compactMap { $0 }.min()
  }

  /// When there is nothing more to wait for.
  private var leavesAt: BootInstant? {
    guard !plan.stays || isEnding, isQuiet, isEnding || hasSaidAll else { return nil }
    if isEnding { return lastWord }
    let mail = lastWord.map { $0 + Self.mailTime }
    let receipt = awaitsReceiptSince.map { $0 + Self.receiptTime }
    let end = [mail, receipt].compactMap { $0 }.max()
    let latest = saidAll.map { $0 + Self.longestMailTime }
    return [[end, latest].compactMap { $0 }.min(), worksUntil].compactMap { $0 }.max()
  }

  /// Whether it is time for anything.
  private mutating func look(_ now: BootInstant) -> [Effect] {
    guard phase == .talking else { return [] }
    if saidAll == nil, underWay.isEmpty, queues.allSatisfy(\.isDone) { saidAll = now }
    if let patienceEnds, patienceEnds <= now {
      let failure = BrokerFailure(.timedOut, at: plan.brokers[current])
      return settle(all: true, now) + over(failure, leaves: true)
    }
    let finished = finish(now)
    guard let leavesAt, leavesAt <= now else { return settle(all: false, now) + finished }
    phase = .leaving
    return settle(all: true, now) + [.disconnect]
  }

  private mutating func end(_ now: BootInstant) -> [Effect] {
    endsSince = endsSince ?? now
    guard phase == .talking else {
      return phase == .leaving || phase == .over ? [] : over(nil, leaves: true)
    }
    return look(now)
  }

  private mutating func over(_ failure: BrokerFailure?, leaves: Bool = false) -> [Effect] {
    phase = .over
    underWay = [:]
    answers = []
    answersUnderWay = [:]
    var blocks: [Recipient: String] = [:]
    for queue in queues { blocks[queue.recipient] = queue.block }
    return (leaves ? [.disconnect] : [])
      + [.ended(Ending(failure: failure, blocks: blocks))]
  }
}
