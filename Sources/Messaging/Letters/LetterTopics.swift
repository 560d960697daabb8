import Core

/// Topics of letters at a broker. Every letter is retained under a separate topic for each
/// addressee, so that a new board of the same person receives what is waiting; an empty message
/// withdraws it.
///
/// The sender is a topic level, too: a broker lets each person write only where that person's name
/// is this level, so that nobody can write in another's name (`accessList`).
public enum LetterTopics {
  private static let letters = "godwit-letters"
  private static let areas = "godwit-area-letters"
  private static let receipts = "godwit-letter-receipts"
  private static let boxes = "godwit-letterboxes"

  /// For mosquitto (mosquitto.conf(5), acl_file), where a user's name is the person's address.
  public static let accessList = [
    "pattern write \(letters)/+/%u/+",
    "pattern read \(letters)/%u/#",
    "pattern read \(letters)/+/%u/+",
    "pattern write \(areas)/+/%u/+",
    "pattern read \(areas)/#",
    "pattern write \(receipts)/+/%u/+",
    "pattern read \(receipts)/%u/#",
    "pattern read \(receipts)/+/%u/+",
    "pattern write \(boxes)/+/%u/+",
    "pattern read \(boxes)/%u/#",
  ]

  /// The expiry of receipts: after it, a second board no longer needs to learn of deliveries.
  public static let receiptLife: Seconds = .days(90)

  // MARK: Where to publish

  /// - Returns: one topic for each addressee, or those of the areas of a letter to everybody.
  public static func topics(of letter: Letter) -> [String] {
    switch (letter.to, letter.spot) {
    case (.people(let people), _):
      people.map { "\(letters)/\($0)/\(letter.from)/\(letter.id)" }
    case (.everybody, .circle(let circle)):
      (TopicArea.covering(circle.surroundings.box) ?? []).map {
        "\(areas)/\($0)/\(letter.from)/\(letter.id)"
      }
    // Excluded by the letter's checks.
    case (.everybody, .box): []
    }
  }

  /// Whether it is a topic of letters.
  public static func isOne(_ topic: String) -> Bool {
    let first = topic.split(separator: "/", omittingEmptySubsequences: false).first ?? ""
    return [letters, areas, receipts, boxes].contains(String(first))
  }

  public static func isReceipt(_ topic: String) -> Bool { topic.hasPrefix("\(receipts)/") }

  /// The addressee of a letter's topic; nil: everybody in an area.
  public static func addressee(of topic: String) -> PersonAddress? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == letters else { return nil }
    return try? PersonAddress(String(levels[1]))
  }

  public static func topic(of receipt: LetterReceipt) -> String {
    "\(receipts)/\(receipt.to)/\(receipt.by)/\(receipt.letter)"
  }

  /// For the people who can open it or put letters in, and for its owner; a box for everybody is
  /// exchanged as a file.
  public static func topics(of box: Letterbox) -> [String] {
    guard case .people(let people) = box.people else { return [] }
    var writers: [PersonAddress] = []
    if case .people(let some)? = box.writers { writers = some }
    return Set(people + writers + [box.owner]).sorted().map {
      "\(boxes)/\($0)/\(box.owner)/\(box.id)"
    }
  }

  // MARK: What to subscribe to

  /// The subscriptions of a person's board. They include what this person has sent: a new board of
  /// the same person learns of letters still published, and a second one of what the first has
  /// delivered. Letters come before their receipts.
  /// - Parameter around: the areas around the board; empty where only contacts are welcome.
  public static func subscriptions(of me: PersonAddress, around: [TopicArea] = []) -> [String] {
    [
      "\(letters)/+/\(me)/+", "\(areas)/+/\(me)/+", "\(letters)/\(me)/+/+", "\(boxes)/\(me)/+/+",
      "\(receipts)/\(me)/+/+",
      "\(receipts)/+/\(me)/+",
    ] + around.map { "\(areas)/\($0)/+/+" }
  }

  // MARK: What arrives

  /// The content of a message under a topic.
  public enum Arrival: Hashable, Sendable {
    case letter(Letter)
    case withdrawn(LetterWithdrawal)
    case box(Letterbox)
    case boxRemoved(UniqueID, by: PersonAddress)
    case receipt(LetterReceipt)
    /// A receipt was cleared.
    case nothing
  }

  /// - Throws: for anything else, and for a message that does not match its topic.
  public static func arrival(
    _ payload: some Collection<UInt8>, under topic: String
  ) throws(MessageError) -> Arrival {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard levels.count == 4, isOne(topic) else {
      throw MessageError("nothing of letters is published there", at: "topic")
    }
    let second: PersonAddress
    do { second = try PersonAddress(levels[2]) } catch { throw error.within("topic") }
    guard let id = UniqueID(levels[3]) else {
      throw MessageError("its last level is no id", at: "topic")
    }
    guard !payload.isEmpty else {
      switch levels[0] {
      case receipts: return .nothing
      case boxes: return .boxRemoved(id, by: second)
      default: return .withdrawn(LetterWithdrawal(LetterKey(id, from: second)))
      }
    }
    let message = try LetterMessage(payload)
    guard topics(of: message).contains(topic) else {
      throw MessageError(
        "the message does not belong there: its sender, its addressee or its id is another",
        at: "topic")
    }
    switch message {
    case .letter(let letter): return .letter(letter)
    case .box(let box): return .box(box)
    case .receipt(let receipt): return .receipt(receipt)
    case .withdrawal(let withdrawal): return .withdrawn(withdrawal)
    }
  }

  private static func topics(of message: LetterMessage) -> [String] {
    switch message {
    case .letter(let letter): topics(of: letter)
    case .box(let box): topics(of: box)
    case .receipt(let receipt): [topic(of: receipt)]
    // At a broker, an empty message withdraws.
    case .withdrawal: []
    }
  }
}
