import Core

/// Every message of groups and meetings, each as one JSON object.
public enum GroupMessage: Hashable, Sendable {
  case group(Group)
  case position(GroupPosition)
  case meeting(Meeting)
  case attendance(MembershipChange)

  /// - Throws: for anything else, with the reason and the field.
  public init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: GroupLimits.message)
    switch reader.type {
    case Group.type: self = .group(try Group(reader))
    case GroupPosition.type: self = .position(try GroupPosition(reader))
    case Meeting.type: self = .meeting(try Meeting(reader))
    case MembershipChange.type: self = .attendance(try MembershipChange(reader))
    default:
      throw MessageError(
        "it is none of \(Group.type), \(GroupPosition.type), \(Meeting.type) and "
          + "\(MembershipChange.type): is it another message?", at: "type")
    }
  }

  /// The guide or organizer of the message's subject; nil: the message is about a member.
  public var host: PersonAddress? {
    switch self {
    case .group(let group): group.guide
    case .meeting(let meeting): meeting.organizer
    case .position, .attendance: nil
    }
  }

  /// Deterministic; one line, without a line end.
  public var bytes: [UInt8] {
    switch self {
    case .group(let group): group.writer.bytes
    case .position(let position): position.writer.bytes
    case .meeting(let meeting): meeting.writer.bytes
    case .attendance(let attendance): attendance.writer.bytes
    }
  }
}
