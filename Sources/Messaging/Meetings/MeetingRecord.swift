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
  /// Own meetings only: where it is published.
  var publication = MeetingPublication()
  /// Own meetings only: who has joined and left.
  var attendance = MeetingAttendance()

  init(_ meeting: Meeting) {
    self.meeting = meeting
    lateUntil = meeting.ends
  }

  /// Own meetings only: who has joined.
  public var attendees: [PersonAddress] { attendance.people }

  /// - Parameter isOn: whether it takes place now, as far as its schedule decides it.
  func isVisible(to me: PersonAddress, at date: UTCInstant, isOn: Bool) -> Bool {
    guard !isOver, meeting.lasts(at: date) else { return false }
    return isJoined || meeting.organizer == me || isInside && isOn
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
    publication = try MeetingPublication(reader)
    attendance = try MeetingAttendance(try reader.parts("people"))
  }

  var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add("joined", if: isJoined)
    writer.add("shown", if: isShown)
    writer.add("inside", if: isInside)
    writer.add("over", if: isOver)
    writer.add("late_until", lateUntil)
    publication.write(into: &writer)
    writer.add("people", attendance.writers)
    writer.add("meeting", json: meeting.writer.json)
    return writer.bytes
  }
}
