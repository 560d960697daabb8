import Core

/// What is known of one meeting, as the store keeps it over restarts.
public struct MeetingRecord: Hashable, Sendable {
  /// The latest revision that came.
  public internal(set) var meeting: Meeting
  public internal(set) var isJoined = false
  /// Whether it was told that it is held nearby.
  public internal(set) var isShown = false
  /// Whether the board is within its region.
  var isInside = false
  /// Whether it is over here: kept so that what arrives late does not bring it back.
  public internal(set) var isOver = false
  /// Until when something late may come.
  var lateUntil: UTCInstant
  /// Of one that is held by this person: the last revision that others can see.
  var published: Int?
  /// Under which topics that is.
  public internal(set) var topics: [String] = []
  /// Of one that is held by this person: the revision that its next board would find.
  var secured: Int?
  /// Of one that is held by this person: who has joined and left.
  var people: [PersonAddress: MembershipChange] = [:]

  /// Whether its organizer's next board would find it.
  public var isSecured: Bool { secured != nil }

  init(_ meeting: Meeting) {
    self.meeting = meeting
    lateUntil = meeting.ends
  }

  /// Of one that is held by this person: who has joined.
  public var attendees: [PersonAddress] {
    people.values.filter { $0.action == .join }.map(\.person).sorted()
  }

  // MARK: JSON

  private static let type = "meeting_record"

  public init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: GroupLimits.state)
    try reader.expect(Self.type)
    self.init(try Meeting(try reader.part("meeting")))
    isJoined = try reader.flag("joined")
    isShown = try reader.flag("shown")
    isInside = try reader.flag("inside")
    isOver = try reader.flag("over")
    lateUntil = try reader.time("late_until")
    if reader.has("published") {
      published = try reader.integer("published", GroupLimits.revisions)
    }
    topics = try reader.texts("topics")
    if reader.has("secured") { secured = try reader.integer("secured", GroupLimits.revisions) }
    for part in try reader.parts("people") {
      let attendance = try MembershipChange(part)
      people[attendance.person] = attendance
    }
  }

  public var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add("joined", if: isJoined)
    writer.add("shown", if: isShown)
    writer.add("inside", if: isInside)
    writer.add("over", if: isOver)
    writer.add("late_until", lateUntil)
    writer.add("published", published)
    writer.add("topics", texts: topics)
    writer.add("secured", secured)
    writer.add("people", people.sorted { $0.key < $1.key }.map(\.value.writer))
    writer.add("meeting", json: meeting.writer.json)
    return writer.bytes
  }
}
