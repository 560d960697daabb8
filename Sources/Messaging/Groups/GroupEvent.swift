import Core

/// Events of a group.
public enum GroupEvent: Hashable, Sendable {
  /// The group as its guide currently defines it.
  case changed(Group)
  case attendance(MembershipChange)
  case position(GroupPosition)
  case timePassed
}

/// Effects of a group's step. `store` comes first; what follows may be reported once it is durable.
public enum GroupEffect: Hashable, Sendable {
  case store(GroupState)
  case notify(GroupNotification)
  /// The person whose message was rejected, and why.
  case refused(PersonAddress, MessageError)
  /// Positions of these people are requested.
  case requestPositions([PersonAddress])
  /// Nil: nothing is due.
  case wake(BootInstant?)
}

/// What is reported to the group.
public enum GroupNotification: Hashable, Sendable {
  case joined(PersonAddress)
  case left(PersonAddress)
  /// Out of range, at this distance from the guide.
  case fellBehind(PersonAddress, Metres)
  case back(PersonAddress)
  /// Since when nothing was received; nil: never.
  case missing(PersonAddress, since: UTCInstant?)
  case receivedAgain(PersonAddress)
  /// Distances from the guide cannot be determined while no position of the guide is received.
  case guideSilent(since: UTCInstant?)
  case guideReceived
  case changed([GroupChange])
  case ended

  /// Whether a person is possibly lost.
  public var isAlert: Bool {
    switch self {
    case .fellBehind, .missing: true
    case .joined, .left, .back, .receivedAgain, .guideSilent, .guideReceived, .changed, .ended:
      false
    }
  }
}
