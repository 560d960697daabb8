import Core

/// Which meeting goes where there are too many. What one has joined, and what is one's own, stays.
///
/// It is the same one in whichever order they came: what was dropped comes again from the broker,
/// and must not take turns with others for ever.
enum MeetingCapacity {
  /// - Parameter latest: among those that are known, and the last that came.
  /// - Returns: nil where there is room for all.
  static func surplus(
    of known: [UniqueID: MeetingRecord], after latest: Meeting, for me: PersonAddress,
    _ contacts: Contacts
  ) -> UniqueID? {
    let spare = known.values.filter {
      !$0.isOver && !$0.isJoined && $0.meeting.organizer != me
    }
    let same = spare.filter { $0.meeting.organizer == latest.organizer }
    if same.count > GroupLimits.meetingsPerOrganizer { return last(of: same) }
    guard known.count > GroupLimits.meetings else { return nil }
    let over = known.values.filter(\.isOver).min {
      ($0.lateUntil, $0.meeting.id) < ($1.lateUntil, $1.meeting.id)
    }
    if let over { return over.meeting.id }
    let first = contacts.firstToGo(of: spare, for: me, heldBy: \.meeting.organizer)
    return last(of: first) ?? latest.id
  }

  /// One that the board is within can be seen, so that it goes last; of the others the one that
  /// would keep the room for longest goes first.
  private static func last(of records: [MeetingRecord]) -> UniqueID? {
    records.max {
      ($0.isInside ? 0 : 1, $0.meeting.ends, $0.meeting.id)
        < ($1.isInside ? 0 : 1, $1.meeting.ends, $1.meeting.id)
    }?.meeting.id
  }
}
