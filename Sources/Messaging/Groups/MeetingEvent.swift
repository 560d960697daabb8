import Core
import Records

/// What happens to meetings.
public enum MeetingEvent: Hashable, Sendable {
  /// This person holds one, or changes or cancels it.
  case organized(Meeting)
  /// From others, as often as it comes.
  case heard(Meeting)
  /// Its organizer has taken it away.
  case removed(UniqueID, by: PersonAddress)
  case located(Location)
  case join(UniqueID)
  case leave(UniqueID)
  /// Of these people nothing is wanted.
  case blocked([PersonAddress])
  /// Of others, to a meeting of this person's.
  case attendance(MembershipChange)
  case timePassed
}

/// What is to be done about meetings. What is stored comes first, and what is told after it may be
/// told when that is durable.
public enum MeetingEffect: Hashable, Sendable {
  case store(MeetingRecord)
  case forget(UniqueID)
  /// Of this person's: others can see it from now on, in this revision.
  /// - Parameter without: where it was, and is to be no more.
  case publish(Meeting, under: [String], without: [String])
  /// Of this person's: its later and other boards can find it from now on, and nobody else.
  case secure(Meeting)
  /// They need not find it any more.
  case release(Meeting)
  /// Of this person's: nobody can see it any more.
  case withdraw(UniqueID, from: [String])
  /// To the organizer.
  case send(MembershipChange, to: PersonAddress)
  /// One is held nearby: told once.
  case appeared(Meeting)
  /// One that was joined is otherwise now: told once for each revision.
  case changed(Meeting, [MeetingChange])
  /// One that was joined is over.
  case over(Meeting, MeetingEnd)
  /// To one of this person's.
  case attended(Meeting, MembershipChange)
  case refused(UniqueID, MessageError)
  /// Nil: nothing is due.
  case wake(BootInstant?)
}
