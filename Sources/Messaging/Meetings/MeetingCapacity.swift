import Core

/// Selects the meeting to drop when there are too many. Joined and own meetings stay.
///
/// The choice does not depend on the order of arrival: the broker delivers a dropped meeting again,
/// and two meetings must not replace each other endlessly.
enum MeetingCapacity {
  /// - Parameter latest: the last that arrived; it is already among the known ones.
  /// - Returns: nil where there is room for all.
  static func surplus(
    of known: [UniqueID: MeetingRecord], after latest: Meeting, for me: PersonAddress,
    _ contacts: Contacts
  ) -> UniqueID? {
    let spare = known.values.filter {
      !$0.isOver && !$0.isJoined && $0.meeting.organizer != me
    }
    let same = spare.filter { $0.meeting.organizer == latest.organizer }
    if same.count > MessagingLimits.meetingsPerOrganizer { return last(of: same) }
    guard known.count > MessagingLimits.meetings else { return nil }
    let over = known.values.filter(\.isOver).min {
      ($0.lateUntil, $0.meeting.id) < ($1.lateUntil, $1.meeting.id)
    }
    if let over { return over.meeting.id }
    let first = contacts.firstToGo(of: spare, for: me, heldBy: \.meeting.organizer)
    return last(of: first) ?? latest.id
  }

  /// A meeting whose region contains the board is visible, so it goes last. Of the others, the one
  /// that would occupy its place longest goes first.
  private static func last(of records: [MeetingRecord]) -> UniqueID? {
    records.max {
      ($0.isInside ? 0 : 1, $0.meeting.ends, $0.meeting.id)
        < ($1.isInside ? 0 : 1, $1.meeting.ends, $1.meeting.id)
    }?.meeting.id
  }
}
