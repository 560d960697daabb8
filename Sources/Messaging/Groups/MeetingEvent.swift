import Core
import Records

/// Events of meetings.
public enum MeetingEvent: Hashable, Sendable {
  /// This person organizes, changes or cancels a meeting.
  case organized(Meeting)
  /// From others, possibly several times.
  case received(Meeting)
  /// Its organizer has removed it.
  case removed(UniqueID, by: PersonAddress)
  case located(Location)
  case join(UniqueID)
  case leave(UniqueID)
  /// These people are blocked.
  case blocked([PersonAddress])
  /// From others, for a meeting of this person.
  case attendance(MembershipChange)
  case timePassed
}

/// Effects of a step of meetings. What is stored comes first; what follows may be reported once it
/// is durable.
public enum MeetingEffect: Hashable, Sendable {
  case store(MeetingRecord)
  case forget(UniqueID)
  /// An own meeting becomes visible to others in this revision.
  /// - Parameter without: the topics to clear.
  case publish(Meeting, under: [String], without: [String])
  /// An own meeting is published for this person's later and other boards only.
  case secure(Meeting)
  /// Those boards no longer need it.
  case release(Meeting)
  /// An own meeting is no longer visible to anybody.
  case withdraw(UniqueID, from: [String])
  /// To the organizer.
  case send(MembershipChange, to: PersonAddress)
  /// A meeting is held nearby; reported once.
  case appeared(Meeting)
  /// A joined meeting has changed; reported once for each revision.
  case changed(Meeting, [MeetingChange])
  /// A joined meeting is over.
  case over(Meeting, MeetingEnd)
  /// A person joined or left an own meeting.
  case attended(Meeting, MembershipChange)
  case refused(UniqueID, MessageError)
  /// Nil: nothing is due.
  case wake(BootInstant?)
}
