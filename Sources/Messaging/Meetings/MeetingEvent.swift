import Core
import Records

/// Events of meetings.
enum MeetingEvent: Hashable, Sendable {
  /// This person organizes, changes or cancels a meeting.
  case organized(Meeting)
  /// From others, possibly several times.
  case received(Meeting)
  /// Its organizer has removed it.
  case removed(UniqueID, by: PersonAddress)
  case located(Location)
  case join(UniqueID)
  case leave(UniqueID)
  case contacts(Contacts)
  /// From others, for a meeting of this person.
  case attendance(MembershipChange)
  case timePassed
}
