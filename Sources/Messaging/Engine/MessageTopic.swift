import Core

/// Where a message is retained at a broker: under an addressee, an area or a group, so that a new
/// board of the same person receives what is waiting; an empty message clears it.
///
/// The sender is a level of the topic, so that a broker lets each person write only in that
/// person's own name (`accessList`). A broker does not know a group's members: anybody who knows
/// its id can learn who is in it, and where.
public struct MessageTopic: Hashable, Sendable, CustomStringConvertible {
  enum Root: String, CaseIterable, Sendable {
    case letters = "godwit-letters"
    case areaLetters = "godwit-area-letters"
    case receipts = "godwit-letter-receipts"
    case boxes = "godwit-letterboxes"
    case groups = "godwit-groups"
    case areaGroups = "godwit-area-groups"
    case meetings = "godwit-meetings"
    case areaMeetings = "godwit-area-meetings"
    case attendance = "godwit-attendance"
    case positions = "godwit-group-positions"

    /// Who may read it, besides a sender of letters.
    fileprivate enum Readers { case addressee, everybody }

    fileprivate var readers: Readers {
      switch self {
      case .letters, .receipts, .boxes, .groups, .meetings: .addressee
      case .areaLetters, .areaGroups, .areaMeetings, .attendance, .positions: .everybody
      }
    }
  }

  let root: Root
  /// An addressee, an area, or the host of a membership; of a position its group's id.
  private let audience: String
  let sender: PersonAddress
  /// Of the letter, letterbox, group or meeting.
  let id: UniqueID

  private init(
    _ root: Root, _ audience: some CustomStringConvertible, _ sender: PersonAddress, _ id: UniqueID
  ) {
    self.root = root
    self.audience = audience.description
    self.sender = sender
    self.id = id
  }

  /// - Throws: for a topic of anything else.
  init(parsing text: String) throws(MessageError) {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard let root = Root(rawValue: levels[0]), levels.count == (root == .positions ? 3 : 4) else {
      throw MessageError("it is not a topic of messages", at: "topic")
    }
    let sender: PersonAddress
    do { sender = try PersonAddress(levels[2]) } catch { throw error.within("topic") }
    guard let id = UniqueID(levels[root == .positions ? 1 : 3]) else {
      throw MessageError("it contains no id", at: "topic")
    }
    self.init(root, levels[1], sender, id)
    // Otherwise one message could lie under two topics.
    guard description == text else {
      throw MessageError("its id contains capital letters: use \(id)", at: "topic")
    }
  }

  public var description: String {
    let topic = "\(root.rawValue)/\(audience)/\(sender)"
    return root == .positions ? topic : "\(topic)/\(id)"
  }

  // MARK: What kind of topic

  /// Whether a message under a topic is one of these.
  public static func isOne(_ topic: String) -> Bool { root(of: topic) != nil }

  static func isReceipt(_ topic: String) -> Bool { root(of: topic) == .receipts }

  /// Whether the topic is one that everybody nearby can find.
  public static func isOfArea(_ topic: String) -> Bool {
    root(of: topic) == .areaGroups || root(of: topic) == .areaMeetings
  }

  private static func root(of topic: String) -> Root? {
    Root(rawValue: String(topic.prefix { $0 != "/" }))
  }

  /// The addressee of a letter; nil: everybody in an area, or the topic is not of a letter.
  var addressee: PersonAddress? { root == .letters ? try? PersonAddress(audience) : nil }

  static func addressee(of topic: String) -> PersonAddress? {
    (try? MessageTopic(parsing: topic))?.addressee
  }

  // MARK: Rights

  /// For mosquitto (mosquitto.conf(5), acl_file), where a user's name is the person's address.
  public static let accessList = Root.allCases.flatMap { root -> [String] in
    let own = "\(root.rawValue)/+/%u" + (root == .positions ? "" : "/+")
    let read = root.readers == .addressee ? "\(root.rawValue)/%u/#" : "\(root.rawValue)/#"
    // A new board of a sender learns of letters still published, and of their receipts.
    let readOwn = root == .letters || root == .receipts ? ["pattern read \(own)"] : []
    return ["pattern write \(own)", "pattern read \(read)"] + readOwn
  }
}

// MARK: Where to publish

extension MessageTopic {
  /// The expiry of receipts: after it, a second board no longer needs to learn of deliveries.
  static let receiptLife: Seconds = .days(90)
  /// The expiry of leave messages.
  static let leaveLife: Seconds = .days(90)

  /// - Returns: one topic for each addressee, or those of the areas of a letter to everybody.
  public static func topics(of letter: Letter) -> [String] {
    switch (letter.to, letter.spot) {
    case (.people(let people), _):
      people.map { "\(MessageTopic(.letters, $0, letter.from, letter.id))" }
    case (.everybody, .circle(let circle)):
      (TopicArea.covering(circle.surroundings.box) ?? []).map {
        "\(MessageTopic(.areaLetters, $0, letter.from, letter.id))"
      }
    // Excluded by the letter's checks.
    case (.everybody, .box): []
    }
  }

  public static func topic(of receipt: LetterReceipt) -> String {
    "\(MessageTopic(.receipts, receipt.to, receipt.by, receipt.letter))"
  }

  /// For the people who can open it or put letters in, and for its owner; a box for everybody is
  /// exchanged as a file.
  static func topics(of box: Letterbox) -> [String] {
    guard case .people(let people) = box.people else { return [] }
    var writers: [PersonAddress] = []
    if case .people(let some)? = box.writers { writers = some }
    return Set(people + writers + [box.owner]).sorted().map {
      "\(MessageTopic(.boxes, $0, box.owner, box.id))"
    }
  }

  /// - Parameter around: where an open group can be found.
  static func topics(of group: Group, in around: SphericalCap?) -> [String] {
    switch group.allowed {
    case .people(let people):
      return people.map { "\(MessageTopic(.groups, $0, group.guide, group.id))" }
    case .everybody:
      let areas = around.flatMap { TopicArea.covering($0.box) } ?? []
      return areas.map { "\(MessageTopic(.areaGroups, $0, group.guide, group.id))" }
    }
  }

  static func topics(of meeting: Meeting) -> [String] {
    switch meeting.invited {
    case .people(let people):
      people.map { "\(MessageTopic(.meetings, $0, meeting.organizer, meeting.id))" }
    case .everybody:
      meeting.region.areas.map {
        "\(MessageTopic(.areaMeetings, $0, meeting.organizer, meeting.id))"
      }
    }
  }

  /// Where a group or a meeting is published for its owner's later and other boards; only the owner
  /// can read it there.
  /// - Parameter owner: the guide.
  static func ownTopic(ofGroup id: UniqueID, of owner: PersonAddress) -> String {
    "\(MessageTopic(.groups, owner, owner, id))"
  }
  static func ownTopic(of meeting: Meeting) -> String {
    "\(MessageTopic(.meetings, meeting.organizer, meeting.organizer, meeting.id))"
  }

  public static func topic(of position: GroupPosition) -> String {
    positionTopic(of: position.person, in: position.group)
  }

  static func positionTopic(of person: PersonAddress, in group: UniqueID) -> String {
    "\(MessageTopic(.positions, group, person, group))"
  }

  /// - Parameter host: the group's guide, or the meeting's organizer.
  public static func topic(of one: MembershipChange, to host: PersonAddress) -> String {
    "\(MessageTopic(.attendance, host, one.person, one.id))"
  }

  // MARK: What to subscribe to

  /// The subscriptions of a person's board. They include what this person has sent: a new board of
  /// the same person learns of messages still published, and a second one of what the first has
  /// delivered. Letters come before their receipts.
  /// - Parameters:
  ///   - around: the areas around the board.
  ///   - isOpen: whether letters of anybody are welcome, not of contacts alone.
  ///   - joined: the groups that the person belongs to or guides.
  static func subscriptions(
    of me: PersonAddress, around: [TopicArea] = [], isOpen: Bool = true, joined: [UniqueID] = []
  ) -> [String] {
    func toMe(_ root: Root) -> String { "\(root.rawValue)/\(me)/+/+" }
    func byMe(_ root: Root) -> String { "\(root.rawValue)/+/\(me)/+" }
    func within(_ root: Root) -> [String] { around.map { "\(root.rawValue)/\($0)/+/+" } }
    let letters = [
      byMe(.letters), byMe(.areaLetters), toMe(.letters), toMe(.boxes), toMe(.receipts),
      byMe(.receipts),
    ]
    let hosted = [toMe(.groups), byMe(.areaGroups), toMe(.meetings), toMe(.attendance)]
    let members = joined.flatMap {
      ["\(Root.positions.rawValue)/\($0)/+", "\(Root.attendance.rawValue)/+/+/\($0)"]
    }
    return letters + (isOpen ? within(.areaLetters) : []) + hosted + within(.areaGroups)
      + within(.areaMeetings) + members
  }
}

// MARK: What arrives

extension MessageTopic {
  /// The content of a message under a topic.
  enum Arrival: Hashable, Sendable {
    case message(PeerMessage)
    /// What was retained there is withdrawn, removed, or of no more interest.
    case cleared
  }

  /// - Throws: for a message that does not match its topic.
  func arrival(_ payload: some Collection<UInt8>) throws(MessageError) -> Arrival {
    guard !payload.isEmpty else { return .cleared }
    let message = try PeerMessage(payload)
    guard admits(message) else {
      throw MessageError(
        "the message does not match its topic: its sender, addressee or id differs",
        at: "topic")
    }
    return .message(message)
  }

  private func admits(_ message: PeerMessage) -> Bool {
    let topic = description
    return switch message {
    case .letter(let letter): Self.topics(of: letter).contains(topic)
    case .box(let box): Self.topics(of: box).contains(topic)
    case .receipt(let receipt): Self.topic(of: receipt) == topic
    // At a broker, an empty message withdraws.
    case .withdrawal: false
    case .group(let group):
      // The areas of an open group move with its guide.
      group.guide == sender && group.id == id
        && (root == .groups || root == .areaGroups)
        && (topic == Self.ownTopic(ofGroup: id, of: sender)
          || (root == .areaGroups
            ? group.allowed == .everybody : Self.topics(of: group, in: nil).contains(topic)))
    case .meeting(let meeting):
      Self.ownTopic(of: meeting) == topic || Self.topics(of: meeting).contains(topic)
    case .position(let position): Self.topic(of: position) == topic
    case .attendance(let one):
      root == .attendance && one.person == sender && one.id == id
    }
  }
}
