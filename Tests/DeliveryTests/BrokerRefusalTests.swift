import Core
import TestSupport
import Testing

@testable import Delivery

/// Brokers that refuse some or all messages.
@Suite struct BrokerRefusalTests {
  /// An outbox and a broker whose answers depend on the message alone.
  private struct World {
    let answer: (BrokerMessage) -> PublishReason
    /// Whether the port knows the answer without sending.
    var isKnown = false
    var waiting: [OutboxItem]
    var refused: [Int64: String] = [:]
    var received: [Int64] = []
    var sent = 0
    var bytes = 0
    var blocks: [Recipient: String] = [:]

    mutating func perform(_ effect: BrokerSession.Effect) -> BrokerSession.Event? {
      switch effect {
      case .connect:
        return .broker(.connected(.init(version: .five, hasSession: true, receiveMaximum: 20)))
      case .fetch(let recipient, let after, let most):
        let items = waiting.filter { $0.recipient == recipient && $0.number > after }
        return .items(recipient, Array(items.prefix(most)))
      case .publish(let message, let number):
        let reason = answer(message)
        if isKnown, !reason.isSuccess { return .unsent(number: number, reason) }
        sent += 1
        bytes += message.size
        return .broker(.acknowledged(number: number, reason))
      case .storeResults(let settlements): settlements.forEach { settle($0) }
      case .blocked(let recipient, let why): blocks[recipient] = why
      case .disconnect: return .broker(.disconnected)
      default: break
      }
      return nil
    }

    private mutating func settle(_ settlement: DeliveryResult) {
      switch settlement.outcome {
      case .failed:
        for index in waiting.indices where waiting[index].number == settlement.number {
          waiting[index].failures += 1
        }
        return
      case .refused(let why): refused[settlement.number] = why
      case .handedOver, .received: received.append(settlement.number)
      }
      waiting.removeAll { $0.number == settlement.number }
    }

    mutating func visit(failures: Int = 0) {
      var plan = BrokerPlan(
        brokers: [BrokerRefusalTests.broker], recipients: [.owntracks, .collector])
      plan.failures = [.owntracks: failures, .collector: failures]
      var session = BrokerSession(plan)
      var now = BootInstant.boot(1000)
      var events: [BrokerSession.Event] = [.begin]
      blocks = [:]
      while true {
        if events.isEmpty {
          guard let wake = session.wake else { return }
          now = max(wake, now)
          events = [.woke]
        }
        for effect in session.step(events.removeFirst(), at: now) {
          if case .ended = effect { return }
          if let event = perform(effect) { events.append(event) }
        }
      }
    }
  }

  fileprivate static var broker: BrokerAddress {
    guard let address = try? BrokerAddress(parsing: "mqtt://broker") else {
      preconditionFailure("an address")
    }
    return address
  }

  private static func item(
    _ number: Int64, bytes: Int = 100, to recipient: Recipient = .owntracks
  ) -> OutboxItem {
    OutboxItem(
      number: number, to: recipient, layer: "visits", record: number,
      sequence: recipient == .collector ? StreamNumber(stream: "s1", number: number) : nil,
      topic: "t", payload: [UInt8](repeating: 0x20, count: bytes))
  }

  private static let limits =
    [0x80, 0x81, 0x83, 0x87, 0x90, 0x95, 0x97, 0x99, 0x9B, 0x42] as [UInt8]

  @Test(
    "a broker that refuses everything costs little, and is tried with few messages",
    arguments: limits)
  func nothing(code: UInt8) {
    let items =
      (1...Int64(400)).map { Self.item($0) } + (401...800).map { Self.item($0, to: .collector) }
    for isKnown in [false, true] {
      var world = World(
        answer: { _ in PublishReason(code: code) }, isKnown: isKnown, waiting: items)
      for _ in 0..<3 { world.visit() }
      #expect(world.waiting.map(\.number) == items.map(\.number))
      #expect(world.refused.isEmpty && world.received.isEmpty)
      #expect(world.blocks.keys.count == 2, "it is told of both")
      #expect(world.sent <= 3 * 100, "\(world.sent) were sent")
    }
  }

  @Test("a message too long for a broker is set aside with its size, and blocks nothing")
  func tooLong() {
    let items = (1...Int64(50)).map { Self.item($0, bytes: $0 % 10 == 1 ? 5000 : 100) }
    for isKnown in [false, true] {
      var world = World(
        answer: { $0.payload.count > 1000 ? .tooLong : .success }, isKnown: isKnown,
        waiting: items)
      world.visit()
      #expect(world.refused.keys.sorted() == [1, 11, 21, 31, 41])
      #expect(world.refused[1] == "it is longer than the broker accepts (5001 bytes)")
      #expect(world.waiting.isEmpty && world.received.count == 45)
      #expect(world.blocks.isEmpty)
    }
  }

  @Test("while nothing else is accepted, a refused message waits") func alone() {
    var world = World(
      answer: { $0.payload.count > 1000 ? .tooLong : .success },
      waiting: [Self.item(1, bytes: 5000), Self.item(2, bytes: 5000)])
    world.visit()
    #expect(world.waiting.count == 2 && world.blocks[.owntracks] != nil)
    world.waiting.append(Self.item(3))
    world.visit()
    #expect(world.waiting.isEmpty && world.refused.keys.sorted() == [1, 2])
  }

  @Test("messages get past any number of refused ones before them") func many() {
    var world = World(
      answer: { $0.payload.count > 1000 ? .tooLong : .success },
      waiting: (1...Int64(120)).map { Self.item($0, bytes: $0 <= 100 ? 5000 : 100) })
    for visit in 0..<6 where !world.waiting.isEmpty { world.visit(failures: visit) }
    #expect(world.waiting.isEmpty && world.received.count == 20 && world.refused.count == 100)
  }

  @Test("a possibly temporary fault gives up a message only at the third failure") func passing() {
    var isFaulty = true
    let fault = PublishReason(code: 0x80)
    func world() -> World {
      World(
        answer: { isFaulty && $0.payload.count == 7 ? fault : .success },
        waiting: [Self.item(1, bytes: 7), Self.item(2)])
    }
    var one = world()
    one.visit()
    #expect(one.waiting.map(\.failures) == [1] && one.received == [2])
    isFaulty = false
    one.visit()
    #expect(one.waiting.isEmpty && one.refused.isEmpty)
    isFaulty = true
    var other = world()
    for number in 3...Int64(5) {
      other.visit()
      other.waiting.append(Self.item(number))
    }
    #expect(other.refused.keys.sorted() == [1])
  }

  @Test("batches that are too long are split, and few are sent in vain")
  func batches() {
    for limit in [500, 1000, 5000] {
      var world = World(
        answer: { $0.payload.count > limit ? .tooLong : .success },
        waiting: (1...Int64(1000)).map { Self.item($0, bytes: 200, to: .collector) })
      world.visit()
      #expect(world.received.count == 1000 && world.refused.isEmpty, "\(limit)")
      #expect(world.bytes < 1000 * 300 + 40_000, "\(world.bytes) bytes were sent")
    }
  }

  @Test("a persistent session retries refused messages ever later, and sends new ones at once")
  func stays() {
    var plan = BrokerPlan(brokers: [Self.broker], recipients: [.owntracks], stays: true)
    plan.failures = [:]
    var session = BrokerSession(plan)
    var world = World(
      answer: { $0.payload.count > 1000 ? .tooLong : .success },
      waiting: [Self.item(1, bytes: 5000)])
    func step(_ first: BrokerSession.Event, at now: BootInstant) {
      var events = [first]
      while !events.isEmpty {
        for effect in session.step(events.removeFirst(), at: now) {
          if let event = world.perform(effect) { events.append(event) }
        }
      }
    }
    step(.begin, at: .boot(0))
    #expect(world.sent == 1)
    for second in stride(from: 10.0, through: 40_000, by: 10) {
      step(.newWork, at: .boot(second))
    }
    // Retries after 300, 600, 1200, 2400 s, and then every 3600 s.
    #expect(world.sent == 1 + 4 + 9)
    world.waiting.append(Self.item(2))
    step(.newWork, at: .boot(40_001))
    step(.woke, at: .boot(40_002))
    #expect(world.received == [2] && world.refused.keys.sorted() == [1])
  }

  @Test("a persistent session wakes by itself to retry, and reports success") func wakes() throws {
    var session = BrokerSession(
      BrokerPlan(brokers: [Self.broker], recipients: [.owntracks], stays: true))
    var isOpen = false
    var world = World(
      answer: { _ in isOpen ? .success : .noSubscribers }, waiting: [Self.item(1)])
    var told: [BrokerSession.Effect] = []
    func step(_ first: BrokerSession.Event, at now: BootInstant) {
      var events = [first]
      while !events.isEmpty {
        for effect in session.step(events.removeFirst(), at: now) {
          if case .unblocked = effect { told.append(effect) }
          if let event = world.perform(effect) { events.append(event) }
        }
      }
    }
    step(.begin, at: .boot(0))
    #expect(world.blocks[.owntracks] != nil && session.wake == .boot(300))
    step(.woke, at: .boot(300))
    #expect(world.sent == 2 && session.wake == .boot(900))
    isOpen = true
    step(.woke, at: .boot(900))
    #expect(told == [.unblocked(.owntracks)])
    step(.woke, at: .boot(902))
    #expect(world.received == [1] && session.wake == nil)
  }

  /// A session with its published messages by number; the test gives the answers.
  private static func begun(
    _ items: [OutboxItem], failures: Int = 0
  ) -> (BrokerSession, [(number: Int64, message: BrokerMessage)]) {
    var plan = BrokerPlan(brokers: [broker], recipients: [items[0].recipient])
    plan.failures = [items[0].recipient: failures]
    var session = BrokerSession(plan)
    _ = session.step(.begin, at: .boot(0))
    let welcome = BrokerEvent.Welcome(version: .five, hasSession: true, receiveMaximum: 20)
    _ = session.step(.broker(.connected(welcome)), at: .boot(0))
    let effects = session.step(.items(items[0].recipient, items), at: .boot(0))
    return (session, effects.compactMap(published))
  }

  private static func published(
    _ effect: BrokerSession.Effect
  ) -> (number: Int64, message: BrokerMessage)? {
    guard case .publish(let message, let number) = effect else { return nil }
    return (number, message)
  }

  @Test("an acknowledgement from before a stop does not count as recovery")
  func stopped() {
    var (session, sent) = Self.begun((1...Int64(4)).map { Self.item($0) }, failures: 3)
    #expect(sent.count == 4)
    let stop = session.step(.broker(.acknowledged(number: 1, .noSubscribers)), at: .boot(1))
    #expect(stop.contains(.blocked(.owntracks, PublishReason.noSubscribers.text)))
    for number: Int64 in 2...4 {
      let effects = session.step(.broker(.acknowledged(number: number, .success)), at: .boot(1))
      #expect(!effects.contains(.unblocked(.owntracks)))
    }
  }

  @Test("of several refused batches each returns to its place") func order() {
    var (session, sent) = Self.begun((1...Int64(100)).map { Self.item($0, to: .collector) })
    // The first one tests whether its size is accepted.
    #expect(sent.map(\.number) == [1])
    var effects = session.step(.broker(.acknowledged(number: 1, .success)), at: .boot(1))
    #expect(effects.compactMap(Self.published).map(\.number) == [51])
    let items = (101...Int64(200)).map { Self.item($0, to: .collector) }
    effects = session.step(.items(.collector, items), at: .boot(1))
    #expect(effects.compactMap(Self.published).map(\.number) == [101, 151])
    var next: [Int64] = []
    for number: Int64 in [51, 101, 151] {
      let answer = BrokerSession.Event.broker(.acknowledged(number: number, .tooLong))
      next += session.step(answer, at: .boot(2)).compactMap(Self.published).map(\.number)
    }
    #expect(next.first == 51)
  }
}
