import Core

/// Topics of groups and meetings at a broker: retained messages, cleared by an empty one. As with
/// letters, the publisher is a level of the topic, so that the broker can prevent people from
/// publishing in another's name (`accessList`). A broker does not know a group's members: anybody
/// who knows its id can learn who is in it, and where.
public enum GroupTopics {
  private static let groups = "godwit-groups"
  private static let areaGroups = "godwit-area-groups"
  private static let positions = "godwit-group-positions"
  private static let meetings = "godwit-meetings"
  private static let areaMeetings = "godwit-area-meetings"
  private static let attendance = "godwit-attendance"

  /// For mosquitto (mosquitto.conf(5), acl_file), where a user's name is the person's address.
  public static let accessList = [
    "pattern write \(groups)/+/%u/+",
    "pattern read \(groups)/%u/#",
    "pattern write \(areaGroups)/+/%u/+",
    "pattern read \(areaGroups)/#",
    "pattern write \(meetings)/+/%u/+",
    "pattern read \(meetings)/%u/#",
    "pattern write \(areaMeetings)/+/%u/+",
    "pattern read \(areaMeetings)/#",
    "pattern write \(attendance)/+/%u/+",
    "pattern read \(attendance)/#",
    "pattern write \(positions)/+/%u",
    "pattern read \(positions)/#",
  ]

  /// Whether a topic is one of groups and meetings.
  public static func isOne(_ topic: String) -> Bool {
    let first = topic.split(separator: "/", omittingEmptySubsequences: false).first ?? ""
    return [groups, areaGroups, positions, meetings, areaMeetings, attendance]
      .contains(String(first))
  }

  /// The expiry of leave messages.
  public static let leaveLife: Seconds = .days(90)

  // MARK: Where to publish

  /// - Parameter around: where an open group can be found.
  static func topics(of group: Group, in around: SphericalCap?) -> [String] {
    switch group.allowed {
    case .people(let people):
      return people.map { "\(groups)/\($0)/\(group.guide)/\(group.id)" }
    case .everybody:
      let areas = around.flatMap { TopicArea.covering($0.box) } ?? []
      return areas.map { "\(areaGroups)/\($0)/\(group.guide)/\(group.id)" }
    }
  }

  public static func topics(of meeting: Meeting) -> [String] {
    switch meeting.invited {
    case .people(let people):
      people.map { "\(meetings)/\($0)/\(meeting.organizer)/\(meeting.id)" }
    case .everybody:
      meeting.region.areas.map { "\(areaMeetings)/\($0)/\(meeting.organizer)/\(meeting.id)" }
    }
  }

  /// Where a group or a meeting is published for its owner's later and other boards; only the owner
  /// can read it there.
  /// - Parameter owner: the guide.
  static func ownTopic(ofGroup id: UniqueID, of owner: PersonAddress) -> String {
    "\(groups)/\(owner)/\(owner)/\(id)"
  }
  public static func ownTopic(of meeting: Meeting) -> String {
    "\(meetings)/\(meeting.organizer)/\(meeting.organizer)/\(meeting.id)"
  }

  public static func topic(of position: GroupPosition) -> String {
    positionTopic(of: position.person, in: position.group)
  }

  public static func positionTopic(of person: PersonAddress, in group: UniqueID) -> String {
    "\(positions)/\(group)/\(person)"
  }

  /// - Parameter host: the group's guide, or the meeting's organizer.
  public static func topic(of one: MembershipChange, to host: PersonAddress) -> String {
    "\(attendance)/\(host)/\(one.person)/\(one.id)"
  }

  /// Whether the topic is one that everybody nearby can find.
  public static func isOfArea(_ topic: String) -> Bool {
    topic.hasPrefix("\(areaGroups)/") || topic.hasPrefix("\(areaMeetings)/")
  }

  // MARK: What to subscribe to

  /// Includes this person's own messages in all areas: a new board needs them.
  /// - Parameters:
  ///   - around: the areas around the board.
  ///   - joined: the groups that the person belongs to or guides.
  public static func subscriptions(
    of me: PersonAddress, around: [TopicArea], joined: [UniqueID] = []
  ) -> [String] {
    [
      "\(groups)/\(me)/+/+", "\(areaGroups)/+/\(me)/+", "\(meetings)/\(me)/+/+",
      "\(attendance)/\(me)/+/+",
    ]
      + around.flatMap { ["\(areaGroups)/\($0)/+/+", "\(areaMeetings)/\($0)/+/+"] }
      + joined.flatMap { ["\(positions)/\($0)/+", "\(attendance)/+/+/\($0)"] }
  }

  // MARK: What arrives

  /// The content of a message under a topic.
  public enum Arrival: Hashable, Sendable {
    case message(GroupMessage)
    case groupRemoved(UniqueID, by: PersonAddress)
    case meetingRemoved(UniqueID, by: PersonAddress)
    /// A position or a membership change was cleared.
    case nothing
  }

  /// - Throws: for anything else, and for a message that does not match its topic.
  public static func arrival(
    _ payload: some Collection<UInt8>, under topic: String
  ) throws(MessageError) -> Arrival {
    let levels = topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isPosition = levels[0] == positions
    guard isOne(topic), levels.count == (isPosition ? 3 : 4) else {
      throw MessageError("nothing of groups and meetings is published there", at: "topic")
    }
    let sender: PersonAddress
    do { sender = try PersonAddress(levels[2]) } catch { throw error.within("topic") }
    guard let id = UniqueID(levels[isPosition ? 1 : 3]) else {
      throw MessageError("there is no id in it", at: "topic")
    }
    guard !payload.isEmpty else {
      switch levels[0] {
      case groups, areaGroups: return .groupRemoved(id, by: sender)
      case meetings, areaMeetings: return .meetingRemoved(id, by: sender)
      default: return .nothing
      }
    }
    let message = try GroupMessage(payload)
    guard belongs(message, levels, sender, id) else {
      throw MessageError(
        "the message does not belong there: its sender, its addressee or its id is another",
        at: "topic")
    }
    return .message(message)
  }

  private static func belongs(
    _ message: GroupMessage, _ levels: [String], _ sender: PersonAddress, _ id: UniqueID
  ) -> Bool {
    switch message {
    case .group(let group):
      guard group.guide == sender, group.id == id else { return false }
      if levels[0] == groups, levels[1] == "\(sender)" { return true }
      if case .everybody = group.allowed { return levels[0] == areaGroups }
      return levels[0] == groups && isAdmitted(levels[1], group.allowed)
    case .meeting(let meeting):
      guard meeting.organizer == sender, meeting.id == id else { return false }
      if levels[0] == meetings, levels[1] == "\(sender)" { return true }
      if case .everybody = meeting.invited {
        return levels[0] == areaMeetings
          && meeting.region.areas.contains { $0.description == levels[1] }
      }
      return levels[0] == meetings && isAdmitted(levels[1], meeting.invited)
    case .position(let position):
      return levels[0] == positions && position.person == sender && position.group == id
    case .attendance(let one):
      return levels[0] == attendance && one.person == sender && one.id == id
    }
  }

  private static func isAdmitted(_ level: String, _ addressees: Addressees) -> Bool {
    (try? PersonAddress(level)).map { addressees.include($0) } ?? false
  }
}
