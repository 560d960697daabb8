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

  /// Everything that is pending reaches the broker.
  private static func send(_ post: inout LetterOutbox) {
    for retained in post.pending { _ = post.step(.acknowledged(retained), date: Bench.date) }
  }

  private static func restarted(_ post: LetterOutbox) throws -> LetterOutbox {
    LetterOutbox(of: post.me, restoring: try post.all.map { try OutgoingLetter($0.bytes) })
  }

  @Test("a letter is sent until the broker has it, over restarts, and then no more") func sent()
    throws
  {
    var post = LetterOutbox(of: Bench.ben)
    let effects = post.step(.written(Self.letter), date: Bench.date)
    #expect(effects == [.store(post.all[0]), .send])
    #expect(post.pending.map(\.topic) == LetterTopics.topics(of: Self.letter).sorted())
    let first = post.pending[0]
    #expect(first.payload == LetterMessage.letter(Self.letter).bytes)
    #expect(post.step(.acknowledged(first), date: nil) == [.store(post.all[0])])
    post = try Self.restarted(post)
    #expect(post.pending.count == 1 && post.pending[0] != first)
    Self.send(&post)
    post = try Self.restarted(post)
    #expect(post.pending == [] && post.all.count == 1)
  }

  @Test("what is delivered is taken away for each of them, and what became of it is kept")
  func delivered() throws {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    Self.send(&post)
    let effects = post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date)
    #expect(effects.last == .outcome(Self.receipt(Bench.anna)) && effects.contains(.send))
    #expect(post.pending.map(\.payload) == [[]] && post.pending[0].topic.contains("/anna/"))
    #expect(post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date) == [])
    Self.send(&post)
    _ = post.step(.receipt(Self.receipt(Bench.carl, .expired)), date: Bench.date)
    post = try Self.restarted(post)
    let last = post.pending[0]
    _ = post.step(.acknowledged(last), date: Bench.date)
    post = try Self.restarted(post)
    #expect(post.all.map(\.isOver) == [true] && post.pending == [] && post.pendingCount == 0)
    #expect(post.all[0].outcomes == [Bench.anna: .delivered, Bench.carl: .expired])
    #expect(post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date) == [])
    guard case .refused = post.step(.withdrawn(Self.letter.id), date: Bench.date).first
    else { return #expect(Bool(false), "it is over") }
  }

  @Test("of those that are over the latest 64 are kept, and they take nobody's room") func kept() {
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
      let effects = post.step(.written(Bench.letter(number)), date: Bench.date)
      #expect(effects.last == .send, "there is room for 256 that lie somewhere")
    }
  }

  @Test("what lay with a broker that has forgotten all is laid there again, and nothing else")
  func forgotten() throws {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    let retained = post.pending
    Self.send(&post)
    _ = post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date)
    Self.send(&post)
    #expect(post.pending == [])
    #expect(post.step(.forgotten, date: Bench.date).contains(.send))
    post = try Self.restarted(post)
    #expect(post.pending == retained.filter { $0.topic.contains("/carl/") })
  }

  @Test("what was taken back is taken away once more where it turns up again") func again() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    let topic = post.pending[0].topic
    Self.send(&post)
    _ = post.step(.withdrawn(Self.letter.id), date: Bench.date)
    Self.send(&post)
    _ = post.step(.recovered(Self.letter, topic: topic), date: Bench.date)
    #expect(post.pending == [RetainedMessage(letter: Self.letter.id, topic: topic, payload: [])])
  }

  @Test("one that is refused goes on lying there, and may be delivered later") func refused() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    Self.send(&post)
    let told = post.step(.receipt(Self.receipt(Bench.anna, .refused)), date: Bench.date)
    #expect(told.contains(.outcome(Self.receipt(Bench.anna, .refused))) && post.pending == [])
    _ = post.step(.receipt(Self.receipt(Bench.anna)), date: Bench.date)
    #expect(post.pending.count == 1)
    #expect(post.step(.receipt(Self.receipt(Bench.anna, .refused)), date: Bench.date) == [])
  }

  @Test("receipts of who did not get the letter are not believed") func foreign() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    #expect(post.step(.receipt(Self.receipt(Bench.mallory)), date: Bench.date) == [])
  }

  @Test("what is taken back is taken away everywhere, even if it is just on its way")
  func withdrawn() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Self.letter), date: Bench.date)
    let underWay = post.pending
    _ = post.step(.withdrawn(Self.letter.id), date: Bench.date)
    // The broker has the letter now, and has still to lose it.
    for retained in underWay { _ = post.step(.acknowledged(retained), date: Bench.date) }
    #expect(post.pending.map(\.payload) == [[], []])
    Self.send(&post)
    #expect(post.all.map(\.isWithdrawn) == [true] && post.pending == [])
    guard case .refused(_, let error) = post.step(.withdrawn(Self.letter.id), date: nil).first
    else { return #expect(Bool(false)) }
    #expect(error.path == "id")
  }

  @Test("one that is over is taken away, as soon as the date is known") func expired() {
    var post = LetterOutbox(of: Bench.ben)
    _ = post.step(.written(Bench.letter(expires: Bench.date + 60)), date: nil)
    Self.send(&post)
    #expect(post.step(.timePassed, date: UTCInstant(seconds: 100)) == [])
    #expect(post.step(.timePassed, date: Bench.date + 59) == [])
    #expect(post.step(.timePassed, date: Bench.date + 60).contains(.send))
    #expect(post.pending.map(\.payload) == [[]])
  }

  @Test("nobody writes in another's name, twice the same, or more than there is room for")
  func refusals() {
    var post = LetterOutbox(of: Bench.ben)
    func error(_ letter: Letter) -> String? {
      for case .refused(_, let error) in post.step(.written(letter), date: Bench.date) {
        return error.description
      }
      return nil
    }
    #expect(error(Bench.letter(from: Bench.mallory)) == "from: it is mallory's: write it as ben")
    #expect(error(Bench.letter(1)) == nil)
    #expect(error(Bench.letter(1)) == "id: there is a letter of that id: take a new one")
    let over = Bench.letter(written: nil, expires: Bench.date - 1)
    #expect(post.step(.written(over), date: Bench.date).count == 1)
    for number in 2...256 { #expect(error(Bench.letter(number)) == nil) }
    #expect(error(Bench.letter(257))?.hasPrefix("256 letters wait") == true)
  }

  @Test("a letter goes from one board to the other and its receipt back, over a broker")
  func wholeWay() throws {
    var post = LetterOutbox(of: Bench.ben)
    var anna = Bench()
    var retained: [String: [UInt8]] = [:]
    func deliver(_ post: inout LetterOutbox) {
      for message in post.pending {
        retained[message.topic] = message.payload.isEmpty ? nil : message.payload
        _ = post.step(.acknowledged(message), date: Bench.date)
      }
    }
    _ = post.step(.written(Bench.letter()), date: Bench.date)
    deliver(&post)
    // A new board of hers gets what lies for her.
    for (topic, payload) in retained {
      guard case .letter(let letter) = try LetterTopics.arrival(payload, under: topic) else {
        continue
      }
      try anna.step(.arrived(letter))
    }
    try anna.come(0)
    let receipt = try #require(anna.receipts.first)
    _ = post.step(.receipt(receipt), date: Bench.date)
    deliver(&post)
    #expect(anna.delivered.count == 1 && retained.isEmpty && post.all.allSatisfy(\.isOver))
  }
}
