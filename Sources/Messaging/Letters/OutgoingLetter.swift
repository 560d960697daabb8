import Core

/// A letter that was written here, and its progress, as the store keeps it over restarts.
public struct OutgoingLetter: Hashable, Sendable {
  /// The state of one topic under which the letter is published.
  public enum Stage: String, CaseIterable, Sendable {
    /// It has still to be sent, or is not acknowledged.
    case toPublish = "to_lay"
    /// The broker has it.
    case published = "lying"
    /// It is over, and the topic has still to be cleared.
    case toClear = "to_clear"
    case cleared

    /// Whether a message to the broker is outstanding.
    var isPending: Bool { self == .toPublish || self == .toClear }
  }

  public let letter: Letter
  public internal(set) var stages: [String: Stage]
  /// The outcome by addressee; for a letter to everybody by finder.
  public internal(set) var outcomes: [PersonAddress: LetterReceipt.Outcome] = [:]
  /// The reason of a refusal, by addressee.
  public internal(set) var reasons: [PersonAddress: String] = [:]
  /// Whether its writer has withdrawn it.
  public internal(set) var isWithdrawn = false

  init(_ letter: Letter, _ stage: Stage = .toPublish) {
    self.letter = letter
    stages = Dictionary(
      MessageTopic.topics(of: letter).map { ($0, stage) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What is published.
  var payload: [UInt8] { PeerMessage.letter(letter).bytes }

  /// Whether it is retained nowhere any more, and nothing remains to be done.
  public var isOver: Bool { stages.values.allSatisfy { $0 == .cleared } }

  /// Whether it is to be delivered to nobody else.
  public var isCleared: Bool { stages.values.allSatisfy { $0 == .toClear || $0 == .cleared } }

  /// Whether all addressees have it, or one person where it was for everybody.
  public var isDelivered: Bool {
    switch letter.to {
    case .people(let people): people.allSatisfy { outcomes[$0] == .delivered }
    case .everybody: outcomes.values.contains(.delivered)
    }
  }

  /// Whether the person has it, or came too late for it.
  func isSettled(for person: PersonAddress?) -> Bool {
    guard let outcome = person.flatMap({ outcomes[$0] }) else { return false }
    return outcome != .refused
  }

  // MARK: JSON

  private static let type = "outgoing_letter"
  private static let longest =
    MessagingLimits.letterMessage + TopicArea.most * 400
    + MessagingLimits.addressees * (400 + 6 * MessagingLimits.name)

  init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: Self.longest)
    try reader.expect(Self.type)
    self.init(try Letter(try reader.part("content")))
    isWithdrawn = try reader.flag("withdrawn")
    for part in try reader.parts("stages") {
      let topic = try part.text("topic")
      guard stages[topic] != nil else {
        throw MessageError(
          "the letter is not published on this topic: remove the stage", at: "stages")
      }
      stages[topic] = try part.word("stage")
    }
    for part in try reader.parts("outcomes") {
      let person = try part.person("by")
      outcomes[person] = try part.word("outcome")
      reasons[person] = try part.textIfAny("reason")
    }
  }

  var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add(
      "stages",
      stages.sorted { $0.key < $1.key }.map { topic, stage in
        var one = MessageWriter()
        one.add("topic", topic)
        one.add("stage", stage.rawValue)
        return one
      })
    writer.add(
      "outcomes",
      outcomes.sorted { $0.key < $1.key }.map { person, outcome in
        var one = MessageWriter()
        one.add("by", person)
        one.add("outcome", outcome.rawValue)
        one.add("reason", reasons[person])
        return one
      })
    writer.add("withdrawn", if: isWithdrawn)
    writer.add("content", json: letter.writer.json)
    return writer.bytes
  }
}
