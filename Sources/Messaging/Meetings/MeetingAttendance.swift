import Core

/// Who has joined and left a meeting, as its organizer knows.
struct MeetingAttendance: Hashable, Sendable {
  private var changes: [PersonAddress: MembershipChange] = [:]

  init() {}

  /// Who has joined.
  var people: [PersonAddress] {
    changes.values.filter { $0.action == .join }.map(\.person).sorted()
  }

  mutating func received(
    _ change: MembershipChange, for meeting: Meeting, _ step: inout MessagingStep
  ) {
    let (person, before) = (change.person, changes[change.person])
    guard person != meeting.organizer, change.isLater(after: before?.at, date: step.date) else {
      return
    }
    let (isJoining, hasJoined) = (change.action == .join, before?.action == .join)
    // A person who never joined must not displace those who did.
    guard isJoining || before != nil else { return }
    if isJoining {
      guard meeting.admits(person) else {
        return step.refuse("meeting \(meeting.id)", "\(person) is not invited", "person")
      }
      guard hasJoined || people.count < MessagingLimits.members else {
        return step.refuse(
          "meeting \(meeting.id)",
          "the maximum of \(MessagingLimits.members) participants is reached", "person")
      }
    }
    changes[person] = change
    changes.forgetFormer(\.at) { $0.action == .leave }
    if isJoining != hasJoined { step.report(.attended(meeting, change)) }
  }

  // MARK: JSON

  init(_ parts: [MessageReader]) throws(MessageError) {
    for part in parts {
      let change = try MembershipChange(part)
      changes[change.person] = change
    }
  }

  var writers: [MessageWriter] { changes.sorted { $0.key < $1.key }.map(\.value.writer) }
}
