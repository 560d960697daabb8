import Core

/// Events of a group.
enum GroupEvent: Hashable, Sendable {
  /// The group as its guide currently defines it.
  case changed(Group)
  case attendance(MembershipChange)
  case position(GroupPosition)
  case timePassed
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
  var isAlert: Bool {
    switch self {
    case .fellBehind, .missing: true
    case .joined, .left, .back, .receivedAgain, .guideSilent, .guideReceived, .changed, .ended:
      false
    }
  }
}
