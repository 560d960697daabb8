import Core

/// What happens to a group.
public enum GroupEvent: Hashable, Sendable {
  /// As its guide has it by now.
  case changed(Group)
  case attendance(MembershipChange)
  case position(GroupPosition)
  case timePassed
}

/// What is to be done about a group. What is stored comes first, and what is told after it may be
/// told when that is durable.
public enum GroupEffect: Hashable, Sendable {
  case store(GroupState)
  case told(GroupNotification)
  /// Of somebody, and why.
  case refused(PersonAddress, MessageError)
  /// Their positions are wanted.
  case ask([PersonAddress])
  /// Nil: nothing is due.
  case wake(BootInstant?)
}

/// What the group is told.
public enum GroupNotification: Hashable, Sendable {
  case joined(PersonAddress)
  case left(PersonAddress)
  /// Outside of the range, so far from the guide.
  case fellBehind(PersonAddress, Metres)
  case back(PersonAddress)
  /// Since when; nil: never.
  case unheard(PersonAddress, since: UTCInstant?)
  case heardAgain(PersonAddress)
  /// Nobody can tell who falls behind as long as the guide is not heard.
  case guideSilent(since: UTCInstant?)
  case guideHeard
  case changed([GroupChange])
  case ended

  /// Whether somebody has to be looked for.
  public var isAlert: Bool {
    switch self {
    case .fellBehind, .unheard: true
    case .joined, .left, .back, .heardAgain, .guideSilent, .guideHeard, .changed, .ended: false
    }
  }
}
