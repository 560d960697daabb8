import Core

/// Where a meeting is published by its organizer: for others while it lasts, and until its end for
/// the organizer's next board.
struct MeetingPublication: Hashable, Sendable {
  /// The last revision visible to others.
  private var published: Int?
  /// The topics it is published under.
  private var topics: [String] = []
  /// The revision published for the organizer's next board.
  private var secured: Int?

  init() {}

  /// Whether it is published for its organizer's next board.
  var isSecured: Bool { secured != nil }

  /// Makes the meeting visible at its start, publishes later changes, and withdraws it at its end.
  /// - Returns: whether it is over.
  mutating func update(
    _ meeting: Meeting, at date: UTCInstant, _ step: inout MessagingStep
  ) -> Bool {
    if date >= meeting.ends || (meeting.isCancelled && published == nil) {
      if published != nil { step.clear(topics) }
      topics = []
      return true
    }
    guard published != meeting.revision, date >= meeting.starts || published != nil else {
      return false
    }
    let wanted = MessageTopic.topics(of: meeting)
    let own = MessageTopic.ownTopic(of: meeting)
    let without = topics.filter { !wanted.contains($0) && $0 != own }
    published = meeting.revision
    topics = wanted
    step.publish(.meeting(meeting), under: wanted)
    step.clear(without)
    return false
  }

  /// Another board of the organizer has changed the meeting. Once it is visible to others, that
  /// board has published it.
  mutating func adopt(_ meeting: Meeting, at date: UTCInstant?) {
    guard meeting.isCancelled || date.map({ $0 >= meeting.starts }) ?? false else { return }
    published = meeting.revision
    topics = MessageTopic.topics(of: meeting)
  }

  /// The loss of a board must not lose its owner's meetings, whether they have begun or not.
  mutating func secure(_ meeting: Meeting, _ step: inout MessagingStep) {
    // A cancelled meeting stays published there until its end, so that no other board revives it.
    let revision = step.date.map { $0 >= meeting.ends } ?? false ? nil : meeting.revision
    guard secured != revision else { return }
    secured = revision
    let topic = [MessageTopic.ownTopic(of: meeting)]
    if revision == nil {
      step.clear(topic)
    } else {
      step.publish(.meeting(meeting), under: topic)
    }
  }

  /// The meeting is kept no longer.
  func release(_ meeting: Meeting, _ step: inout MessagingStep) {
    if isSecured { step.clear([MessageTopic.ownTopic(of: meeting)]) }
  }

  func republish(_ meeting: Meeting, _ step: inout MessagingStep) {
    let own = isSecured ? [MessageTopic.ownTopic(of: meeting)] : []
    step.publish(.meeting(meeting), under: Set(own + topics).sorted())
  }

  // MARK: JSON

  init(_ reader: MessageReader) throws(MessageError) {
    if reader.has("published") {
      published = try reader.integer("published", MessagingLimits.revisions)
    }
    topics = try reader.texts("topics")
    if reader.has("secured") { secured = try reader.integer("secured", MessagingLimits.revisions) }
  }

  func write(into writer: inout MessageWriter) {
    writer.add("published", published)
    writer.add("topics", texts: topics)
    writer.add("secured", secured)
  }
}
