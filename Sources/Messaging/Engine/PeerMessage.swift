import Core

/// A message between the boards of different people, as one JSON object.
public enum PeerMessage: Hashable, Sendable {
  case letter(Letter)
  case box(Letterbox)
  case receipt(LetterReceipt)
  case withdrawal(LetterWithdrawal)
  case group(Group)
  case position(GroupPosition)
  case meeting(Meeting)
  case attendance(MembershipChange)

  /// - Throws: for anything else, with the reason and the field.
  public init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: MessagingLimits.message)
    switch reader.type {
    case Letter.type: self = .letter(try Letter(reader))
    case Letterbox.type: self = .box(try Letterbox(reader))
    case LetterReceipt.type: self = .receipt(try LetterReceipt(reader))
    case LetterWithdrawal.type: self = .withdrawal(try LetterWithdrawal(reader))
    case Group.type: self = .group(try Group(reader))
    case GroupPosition.type: self = .position(try GroupPosition(reader))
    case Meeting.type: self = .meeting(try Meeting(reader))
    case MembershipChange.type: self = .attendance(try MembershipChange(reader))
    default:
      throw MessageError(
        "it is not one of \(Self.types.joined(separator: ", ")): check the message", at: "type")
    }
    guard !isOfLetters || bytes.count <= MessagingLimits.letterMessage else {
      throw MessageError(
        "\(bytes.count) bytes: a \(reader.type) has at most \(MessagingLimits.letterMessage)")
    }
  }

  private static let types = [
    Letter.type, Letterbox.type, LetterReceipt.type, LetterWithdrawal.type, Group.type,
    GroupPosition.type, Meeting.type, MembershipChange.type,
  ]

  /// Deterministic; one line, without a line end.
  public var bytes: [UInt8] {
    switch self {
    case .letter(let letter): letter.writer.bytes
    case .box(let box): box.writer.bytes
    case .receipt(let receipt): receipt.writer.bytes
    case .withdrawal(let withdrawal): withdrawal.writer.bytes
    case .group(let group): group.writer.bytes
    case .position(let position): position.writer.bytes
    case .meeting(let meeting): meeting.writer.bytes
    case .attendance(let attendance): attendance.writer.bytes
    }
  }

  /// The id of the letter, letterbox, group or meeting.
  public var id: UniqueID {
    switch self {
    case .letter(let letter): letter.id
    case .box(let box): box.id
    case .receipt(let receipt): receipt.letter
    case .withdrawal(let withdrawal): withdrawal.key.id
    case .group(let group): group.id
    case .position(let position): position.group
    case .meeting(let meeting): meeting.id
    case .attendance(let change): change.id
    }
  }

  /// The guide or organizer of the message's subject; nil: it is about a member, or of letters.
  var host: PersonAddress? {
    switch self {
    case .group(let group): group.guide
    case .meeting(let meeting): meeting.organizer
    case .letter, .box, .receipt, .withdrawal, .position, .attendance: nil
    }
  }

  /// Whether it may be in a file: groups and meetings need messages that a broker retains.
  var isOfLetters: Bool {
    switch self {
    case .letter, .box, .receipt, .withdrawal: true
    case .group, .position, .meeting, .attendance: false
    }
  }
}
