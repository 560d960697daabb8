import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct LetterTopicsTests {
  private typealias Bench = LetterBench

  private func arrival(
    _ message: PeerMessage?, under topic: String
  ) throws -> MessageTopic.Arrival {
    try MessageTopic(parsing: topic).arrival(message?.bytes ?? [])
  }

  /// Matches a filter with `+` as in MQTT (MQTT 5, 4.7.1).
  private func isReceived(_ topic: String, by filters: [String]) -> Bool {
    filters.contains { filter in
      let levels = filter.split(separator: "/")
      let others = topic.split(separator: "/")
      return levels.count == others.count
        && zip(levels, others).allSatisfy { $0 == "+" || $0 == $1 }
    }
  }

  @Test(
    "a letter to several people has a topic for each, received by that person's boards alone")
  func several() throws {
    let letter = Bench.letter(to: .people([Bench.anna, Bench.carl]))
    let topics = MessageTopic.topics(of: letter)
    #expect(topics.count == 2 && topics[0] == "godwit-letters/anna/ben/\(letter.id)")
    #expect(isReceived(topics[0], by: MessageTopic.subscriptions(of: Bench.anna)))
    #expect(!isReceived(topics[1], by: MessageTopic.subscriptions(of: Bench.anna)))
    for topic in topics {
      #expect(try arrival(.letter(letter), under: topic) == .message(.letter(letter)))
      #expect(try arrival(nil, under: topic) == .cleared)
    }
  }

  @Test("a letter to everybody is received by boards nearby, and not by others") func everybody()
    throws
  {
    let letter = Bench.letter(to: .everybody)
    let topics = MessageTopic.topics(of: letter)
    func filters(_ east: Metres) -> [String] {
      let areas = TopicArea.covering(TopicArea.box(around: Bench.position(east)))
      return MessageTopic.subscriptions(of: Bench.anna, around: areas ?? [])
    }
    #expect(!topics.isEmpty && topics.allSatisfy { isReceived($0, by: filters(100)) })
    #expect(topics.contains { isReceived($0, by: filters(9900)) })
    #expect(!topics.contains { isReceived($0, by: filters(100_000)) })
    #expect(try arrival(.letter(letter), under: topics[0]) == .message(.letter(letter)))
  }

  @Test("a message with a wrong sender, recipient or id for its topic is refused")
  func foreign() throws {
    let letter = Bench.letter()
    for topic in [
      "godwit-letters/anna/mallory/\(letter.id)", "godwit-letters/carl/ben/\(letter.id)",
      "godwit-letters/anna/ben/\(Bench.id(9))", "godwit-letterboxes/anna/ben/\(letter.id)",
    ] {
      let error = thrown(MessageError.self) { try arrival(.letter(letter), under: topic) }
      #expect(error?.reason.hasPrefix("the message does not match its topic") == true)
    }
    for topic in [
      "", "godwit/anna/ben/records", "godwit-letters/anna/ben", "godwit-letters/anna/Ben/x",
      "godwit-letters/anna/ben/x", "godwit-letters/anna/ben/\(letter.id)/x",
    ] {
      #expect(thrown(MessageError.self) { try arrival(nil, under: topic) }?.path == "topic")
    }
    // An id may be written in two ways, a topic in one.
    let other = Bench.letter(0xAB)
    let shouted = "godwit-letters/anna/ben/" + "\(other.id)".uppercased()
    for message in [PeerMessage.letter(other), nil] {
      #expect(thrown(MessageError.self) { try arrival(message, under: shouted) }?.path == "topic")
    }
    let withdrawal = PeerMessage.withdrawal(LetterWithdrawal(letter.key))
    thrown(MessageError.self) {
      try arrival(withdrawal, under: MessageTopic.topics(of: letter)[0])
    }
  }

  @Test("receipts go to the sender and to the other boards of the recipient") func receipts()
    throws
  {
    let receipt = try LetterReceipt(
      letter: Bench.id(1), to: Bench.ben, by: Bench.anna, .delivered, at: nil)
    let topic = MessageTopic.topic(of: receipt)
    #expect(try arrival(.receipt(receipt), under: topic) == .message(.receipt(receipt)))
    for (person, hears) in [(Bench.ben, true), (Bench.anna, true), (Bench.carl, false)] {
      #expect(isReceived(topic, by: MessageTopic.subscriptions(of: person)) == hears)
    }
    #expect(try arrival(nil, under: topic) == .cleared)
  }

  @Test("a letterbox is received by its users, and cleared by its owner alone") func boxes()
    throws
  {
    let box = try Letterbox(
      id: Bench.id(5), owner: Bench.ben, name: "Box", for: .people([Bench.anna]),
      at: Bench.circle())
    let topics = MessageTopic.topics(of: box)
    #expect(topics == ["anna", "ben"].map { "godwit-letterboxes/\($0)/ben/\(box.id)" })
    #expect(try arrival(.box(box), under: topics[0]) == .message(.box(box)))
    #expect(try arrival(nil, under: topics[0]) == .cleared)
    let topic = try MessageTopic(parsing: topics[0])
    #expect(topic.id == box.id && topic.sender == Bench.ben)
  }
}
