import Core

/// Where letters go over a broker. Every letter is retained under a topic of its own for each
/// addressee, so that a new board of the same person gets what lies for it; an empty message in its
/// place takes it back.
///
/// The sender is a level, too: a broker lets each person write where its own name stands there, and
/// nobody can write in another's name, as `accessList` says it.
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

  /// After so long no second board needs to learn what the first has delivered.
  public static let receiptLife: Seconds = .days(90)

  // MARK: Where to publish

  /// - Returns: a topic for each addressee, or those of the areas in which a letter to everybody
  ///   lies.
  public static func topics(of letter: Letter) -> [String] {
    switch (letter.to, letter.spot) {
    case (.people(let people), _):
      people.map { "\(letters)/\($0)/\(letter.from)/\(letter.id)" }
    case (.everybody, .circle(let circle)):
      (TopicArea.covering(circle.surroundings.box) ?? []).map {
        "\(areas)/\($0)/\(letter.from)/\(letter.id)"
      }
    // No letter is like that.
    case (.everybody, .box): []
    }
  }

  /// Whether it is one of letters.
  public static func isOne(_ topic: String) -> Bool {
    let first = topic.split(separator: "/", omittingEmptySubsequences: false).first ?? ""
    return [letters, areas, receipts, boxes].contains(String(first))
  }

  public static func isReceipt(_ topic: String) -> Bool { topic.hasPrefix("\(receipts)/") }

  /// Whom a topic of a letter is for; nil: everybody in an area.
  public static func addressee(of topic: String) -> PersonAddress? {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
    guard levels.count == 4, levels[0] == letters else { return nil }
    return try? PersonAddress(String(levels[1]))
  }

  public static func topic(of receipt: LetterReceipt) -> String {
    "\(receipts)/\(receipt.to)/\(receipt.by)/\(receipt.letter)"
  }

  /// For those who can open it or put something in, and for its owner; a box for everybody is
  /// handed around as a file.
  public static func topics(of box: Letterbox) -> [String] {
    guard case .people(let people) = box.people else { return [] }
    var writers: [PersonAddress] = []
    if case .people(let some)? = box.writers { writers = some }
    return Set(people + writers + [box.owner]).sorted().map {
      "\(boxes)/\($0)/\(box.owner)/\(box.id)"
    }
  }

  // MARK: Where to listen

  /// What a person's board subscribes to. What this person has written and sent is among it: a new
  /// board of the same person learns of letters that lie somewhere still, and a second one of what
  /// the first has delivered. The letters come before their receipts.
  /// - Parameter around: the areas around the board; none where nobody but contacts is welcome.
  public static func subscriptions(of me: PersonAddress, around: [TopicArea] = []) -> [String] {
    [
      "\(letters)/+/\(me)/+", "\(areas)/+/\(me)/+", "\(letters)/\(me)/+/+", "\(boxes)/\(me)/+/+",
      "\(receipts)/\(me)/+/+",
      "\(receipts)/+/\(me)/+",
    ] + around.map { "\(areas)/\($0)/+/+" }
  }

  // MARK: What arrives

  /// What a message under a topic tells.
  public enum Arrival: Hashable, Sendable {
    case letter(Letter)
    case withdrawn(LetterWithdrawal)
    case box(Letterbox)
    case boxRemoved(UniqueID, by: PersonAddress)
    case receipt(LetterReceipt)
    /// A receipt is not needed any more.
    case nothing
  }

  /// - Throws: for what is no such message, or does not belong under the topic.
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
    // Over a broker an empty message withdraws.
    case .withdrawal: []
    }
  }
}
