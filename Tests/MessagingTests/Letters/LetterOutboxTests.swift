import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct LetterOutboxTests {
  private typealias Bench = LetterBench

  private static let letter = Bench.letter(to: .people([Bench.anna, Bench.carl]))

  private static func receipt(
    _ by: PersonAddress, _ outcome: LetterReceipt.Outcome = .delivered
  ) -> LetterReceipt {
    try! LetterReceipt(letter: letter.id, to: Bench.ben, by: by, outcome, at: Bench.date)
  }

  private func text(_ letter: OutgoingLetter) -> String {
    String(decoding: letter.bytes, as: UTF8.self)
  }

  /// Everything pending reaches the broker.
  private static func send(_ post: inout LetterOutbox) {
    for retained in post.pending { post.acknowledge(retained, date: Bench.date) }
  }

  private static func restarted(_ post: LetterOutbox) throws -> LetterOutbox {
    var again = LetterOutbox(of: post.me)
    for letter in post.all { again.restore(try OutgoingLetter(letter.bytes)) }
    return again
  }

  @Test("a letter is sent until the broker has it, across restarts, and then no more") func sent()
    throws
  {
    var post = LetterOutbox(of: Bench.ben)
    let result = post.step(.written(Self.letter), date: Bench.date)
    #expect(result.change.stored.map(\.text) == [text(post.all[0])] && result.hasPending)
    #expect(post.pending.map(\.topic) == MessageTopic.topics(of: Self.letter).sorted())
    let first = post.pending[0]
    #expect(first.payload == PeerMessage.letter(Self.letter).bytes)
    let sent = post.acknowledge(first, date: nil)
    #expect(sent.change.stored.map(\.text) == [text(post.all[0])] && !sent.hasPending)
    post = try Self.restarted(post)
    #expect(post.pending.count == 1 && post.pending[0] != first)
    Self.send(&post)
    post = try Self.restarted(post)
    #expect(post.pending == [] && post.all.count == 1)
  }

  @Test("a delivered letter is cleared for each recipient, and its status is kept")
  func delivered() throws {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    Self.send(&post)
    let result = post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date)
    #expect(result.notifications == [.receipt(Self.receipt(Bench.anna))] && result.hasPending)
    #expect(post.pending.map(\.payload) == [[]] && post.pending[0].topic.contains("/anna/"))
    #expect(post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date) == MessagingResult())
    Self.send(&post)
    _ = post.step(.receipt(Self.receipt(Bench.carl, .expired)), date: Bench.date)
    post = try Self.restarted(post)
    let last = post.pending[0]
    post.acknowledge(last, date: Bench.date)
    post = try Self.restarted(post)
    #expect(post.all.map(\.isOver) == [true] && post.pending == [] && post.pendingCount == 0)
    #expect(post.all[0].outcomes == [Bench.anna: .delivered, Bench.carl: .expired])
    #expect(post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date) == MessagingResult())
    #expect(post.step(.withdrawn(Self.letter.id), date: Bench.date).refusals.count == 1)
  }

  @Test("the latest 64 ended letters are kept, and they take no room from others") func kept() {
    var post = LetterOutbox(of: Bench.ben)
    for number in 1...80 {
      let letter = Bench.letter(number, written: Bench.date + Seconds(Double(number)))
      _ = post.step(.written(letter), date: Bench.date + 100)
      Self.send(&post)
      _ = post.step(.withdrawn(letter.id), date: Bench.date + 100)
      Self.send(&post)
    }
    #expect(post.all.count == 64 && post.all.allSatisfy { $0.isOver && $0.isWithdrawn })
    #expect(post.all.compactMap(\.letter.written).min() == Bench.date + 17)
    for number in 101...356 {
      let result = post.step(.written(Bench.letter(number)), date: Bench.date)
      #expect(result.hasPending, "there is room for 256 that lie somewhere")
    }
  }

  @Test("after a broker lost its data its letters are published again, and nothing else")
  func forgotten() throws {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    let retained = post.pending
    Self.send(&post)
    _ = post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date)
    Self.send(&post)
    #expect(post.pending == [])
    #expect(post.step(.forgotten, date: Bench.date).hasPending)
    post = try Self.restarted(post)
    #expect(post.pending == retained.filter { $0.topic.contains("/carl/") })
  }

  @Test("a withdrawn letter is cleared again if it reappears") func again() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    let topic = post.pending[0].topic
    Self.send(&post)
    _ = post.step(.withdrawn(Self.letter.id), date: Bench.date)
    Self.send(&post)
    _ = post.step(.recovered(Self.letter, topic: topic), date: Bench.date)
    #expect(post.pending == [Publication(topic: topic)])
  }

  @Test("a refused letter stays published, and may be delivered later") func refused() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    Self.send(&post)
    let told = post.step(.receipt(Self.receipt(Bench.anna, .refused)), date: Bench.date)
    #expect(
      told.notifications == [.receipt(Self.receipt(Bench.anna, .refused))] && post.pending == [])
    _ = post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date)
    #expect(post.pending.count == 1)
    #expect(
      post.step(.receipt(Self.receipt(Bench.anna, .refused)), date: Bench.date) == MessagingResult()
    )
  }

  @Test("receipts of people who are not recipients are ignored") func foreign() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    #expect(post.step(.receipt(Self.receipt(Bench.mallory)), date: Bench.date) == MessagingResult())
  }

  @Test("a withdrawn letter is cleared everywhere, even if it is in transit")
  func withdrawn() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    let underWay = post.pending
    _ = post.step(.withdrawn(Self.letter.id), date: Bench.date)
    // The broker has the letter now, and still has to clear it.
    for retained in underWay { post.acknowledge(retained, date: Bench.date) }
    #expect(post.pending.map(\.payload) == [[], []])
    Self.send(&post)
    #expect(post.all.map(\.isWithdrawn) == [true] && post.pending == [])
    let again = post.step(.withdrawn(Self.letter.id), date: nil)
    #expect(again.refusals.map(\.error.path) == ["id"])
  }

  @Test("an expired letter is cleared as soon as the date is known") func expired() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Bench.letter(expires: Bench.date + 60)), date: nil)
    Self.send(&post)
    #expect(post.step(.timePassed, date: UTCInstant(seconds: 100)) == MessagingResult())
    #expect(post.step(.timePassed, date: Bench.date + 59) == MessagingResult())
    #expect(post.step(.timePassed, date: Bench.date + 60).hasPending)
    #expect(post.pending.map(\.payload) == [[]])
  }

  @Test("letters in another's name, duplicates and letters beyond the limit are refused")
  func refusals() {
    var post = LetterOutbox(of: Bench.ben)
    func error(_ letter: Letter) -> String? {
      post.step(.written(letter), date: Bench.date).refusals.first?.error.description
    }
    #expect(error(Bench.letter(from: Bench.mallory)) == "from: its sender is mallory: use ben")
    #expect(error(Bench.letter(1)) == nil)
    #expect(error(Bench.letter(1)) == "id: a letter with this id exists already: use a new id")
    let over = Bench.letter(written: nil, expires: Bench.date - 1)
    #expect(post.step(.written(over), date: Bench.date).refusals.count == 1)
    for number in 2...256 { #expect(error(Bench.letter(number)) == nil) }
    #expect(error(Bench.letter(257))?.hasPrefix("the maximum of 256") == true)
  }

  @Test("a letter goes from one board to another and its receipt back, over a broker")
  func wholeWay() throws {
    var post = LetterOutbox(of: Bench.ben)
    var anna = Bench()
    var retained: [String: [UInt8]] = [:]
    func deliver(_ post: inout LetterOutbox) {
      for message in post.pending {
        retained[message.topic] = message.payload.isEmpty ? nil : message.payload
        post.acknowledge(message, date: Bench.date)
      }
    }
    _ = post.step(.written(Bench.letter()), date: Bench.date)
    deliver(&post)
    // A new board of hers gets the letters waiting for her.
    for (topic, payload) in retained {
      let arrival = try MessageTopic(parsing: topic).arrival(payload)
      guard case .message(.letter(let letter)) = arrival else { continue }
      try anna.step(.arrived(letter))
    }
    try anna.come(0)
    let receipt = try #require(anna.receipts.first)
    _ = post.step(.receipt(receipt), date: Bench.date)
    deliver(&post)
    #expect(anna.delivered.count == 1 && retained.isEmpty && post.all.allSatisfy(\.isOver))
  }
}

extension LetterOutbox {
  fileprivate mutating func step(_ event: LetterOutboxEvent, date: UTCInstant?) -> MessagingResult {
    var step = MessagingStep(at: .boot(0), date: date, hasBroker: true)
    self.step(event, &step)
    return step.result
  }

  @discardableResult
  fileprivate mutating func acknowledge(
    _ sent: Publication, date: UTCInstant?
  ) -> MessagingResult {
    step(.acknowledged(topic: sent.topic, payload: sent.payload), date: date)
  }
}
