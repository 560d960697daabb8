import Core

/// A person joins or leaves a group or a meeting.
public struct MembershipChange: Hashable, Sendable {
  public enum Subject: String, CaseIterable, Sendable {
    case group, meeting
  }
  public enum Action: String, CaseIterable, Sendable {
    case join, leave
  }

  let subject: Subject
  /// The id of the group or the meeting.
  let id: UniqueID
  let person: PersonAddress
  let action: Action
  /// An older change that arrives late is ignored. Nil: the sender's board did not know the date;
  /// then the last to arrive counts.
  let at: UTCInstant?

  public init(
    _ action: Action, _ subject: Subject, _ id: UniqueID, person: PersonAddress, at: UTCInstant?
  ) {
    self.subject = subject
    self.id = id
    self.person = person
    self.action = action
    self.at = MessageCheck.plausible(at)
  }

  /// Whether the change is later than the known one. A known time in the future comes from a wrong
  /// clock and counts like a missing date; otherwise no later change could ever be accepted.
  /// - Parameter date: the present date; nil: it is not known.
  func isLater(after known: UTCInstant?, date: UTCInstant?) -> Bool {
    guard let at, let known else { return true }
    if let date, known - date > MessagingLimits.ahead { return true }
    return at > known
  }

  // MARK: JSON

  static let type = "attendance"

  init(_ reader: MessageReader) throws(MessageError) {
    self.init(
      try reader.word("deed"), try reader.word("of"), try reader.id("id"),
      person: try reader.person("person"), at: try reader.timeIfAny("at"))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("of", subject.rawValue)
    writer.add("id", id)
    writer.add("person", person)
    writer.add("deed", action.rawValue)
    writer.add("at", at)
    return writer
  }
}
