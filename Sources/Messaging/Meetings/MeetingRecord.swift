import Core

/// The state of one meeting, as the store keeps it over restarts.
public struct MeetingRecord: Hashable, Sendable {
  /// The latest revision received.
  public internal(set) var meeting: Meeting
  public internal(set) var isJoined = false
  /// Whether it was reported as nearby.
  var isShown = false
  /// Whether the board is inside its region.
  var isInside = false
  /// Whether it is over for this person: kept so that a late message does not restore it.
  public internal(set) var isOver = false
  /// Until when a late message may arrive.
  var lateUntil: UTCInstant
  /// Own meetings only: the last revision visible to others.
  var published: Int?
  /// The topics it is published under.
  var topics: [String] = []
  /// Own meetings only: the revision published for this person's next board.
  var secured: Int?
  /// Own meetings only: who has joined and left.
  var people: [PersonAddress: MembershipChange] = [:]

  /// Whether it is published for its organizer's next board.
  var isSecured: Bool { secured != nil }

  init(_ meeting: Meeting) {
    self.meeting = meeting
    lateUntil = meeting.ends
  }

  /// Own meetings only: who has joined.
  public var attendees: [PersonAddress] {
    people.values.filter { $0.action == .join }.map(\.person).sorted()
  }

  // MARK: JSON

  private static let type = "meeting_record"

  init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: MessagingLimits.state)
    try reader.expect(Self.type)
    self.init(try Meeting(try reader.part("meeting")))
    isJoined = try reader.flag("joined")
    isShown = try reader.flag("shown")
    isInside = try reader.flag("inside")
    isOver = try reader.flag("over")
    lateUntil = try reader.time("late_until")
    if reader.has("published") {
      published = try reader.integer("published", MessagingLimits.revisions)
    }
    topics = try reader.texts("topics")
    if reader.has("secured") { secured = try reader.integer("secured", MessagingLimits.revisions) }
    for part in try reader.parts("people") {
      let attendance = try MembershipChange(part)
      people[attendance.person] = attendance
    }
  }

  var bytes: [UInt8] {
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
