import Core

extension MeetingRecord {
  /// What stays retained at a broker while the meeting goes on: the meeting itself, or that this
  /// person has joined it.
  func publications(of me: PersonAddress, at date: UTCInstant?) -> [Publication] {
    guard !isOver else { return [] }
    guard meeting.organizer == me else {
      guard isJoined else { return [] }
      let attendance = MembershipChange(.join, .meeting, meeting.id, person: me, at: date)
      return [Publication(attendance, to: meeting.organizer)]
    }
    let own = isSecured ? [MessageTopic.ownTopic(of: meeting)] : []
    let payload = PeerMessage.meeting(meeting).bytes
    return Set(own + topics).sorted().map { Publication(topic: $0, payload: payload) }
  }
}
