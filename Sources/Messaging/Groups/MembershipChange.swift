import Core

/// Somebody joins a group or a meeting, or leaves it.
public struct MembershipChange: Hashable, Sendable {
  public enum Subject: String, CaseIterable, Sendable {
    case group, meeting
  }
  public enum Action: String, CaseIterable, Sendable {
    case join, leave
  }

  public let subject: Subject
  /// Of the group or the meeting.
  public let id: UniqueID
  public let person: PersonAddress
  public let action: Action
  /// An older one that arrives late changes nothing. Nil: the board did not know the date, and the
  /// last that arrives counts.
  public let at: UTCInstant?

  public init(
    _ action: Action, _ subject: Subject, _ id: UniqueID, person: PersonAddress, at: UTCInstant?
  ) {
    self.subject = subject
    self.id = id
    self.person = person
    self.action = action
    self.at = MessageCheck.believable(at)
  }

  /// Whether it is later than what is known. What is known of a time that is still to come was said
  /// by a clock that was wrong, and counts no more than what has no date: nothing later would come.
  /// - Parameter date: of now; nil: it is not known.
  func isNews(after known: UTCInstant?, date: UTCInstant?) -> Bool {
    guard let at, let known else { return true }
    if let date, known - date > GroupLimits.ahead { return true }
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
