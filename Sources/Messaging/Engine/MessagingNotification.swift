import Core

/// What is reported to the board's owner.
public enum MessagingNotification: Hashable, Sendable {
  /// Letters are near, all at one place.
  case near([Letter], at: String?)
  /// The owner has reached the place of the letter. Reported once per letter.
  case delivered(Letter)
  /// The outcome of a letter that the owner has written.
  case receipt(LetterReceipt)
  case meetingAppeared(Meeting)
  case meetingChanged(Meeting, [MeetingChange])
  case meetingOver(Meeting, MeetingEnd)
  /// A person joined or left a meeting that the owner organizes.
  case attended(Meeting, MembershipChange)
  case group(Group, GroupNotification)

  /// Whether it is delivered like an alert; everything else is only logged.
  public var isNotice: Bool {
    switch self {
    case .near, .meetingAppeared, .meetingChanged, .meetingOver: true
    case .delivered, .receipt, .attended: false
    case .group(_, let news): news.isNotice
    }
  }

  /// Its keyword in the log.
  public var word: String {
    switch self {
    case .near: "letter-near"
    case .delivered: "letter-delivered"
    case .receipt: "letter-receipt"
    case .meetingAppeared: "meeting-near"
    case .meetingChanged: "meeting-changed"
    case .meetingOver: "meeting-over"
    case .attended: "meeting-attended"
    case .group: "group"
    }
  }
}

extension GroupNotification {
  fileprivate var isNotice: Bool {
    switch self {
    case .fellBehind, .missing, .guideSilent, .ended: true
    case .joined, .left, .back, .receivedAgain, .guideReceived, .changed: false
    }
  }
}

// MARK: For people

/// A person as the board's owner calls them, with matching verb forms.
private struct Subject {
  let name: String
  private let isOwner: Bool

  init(_ person: PersonAddress, _ contacts: Contacts, me: PersonAddress) {
    isOwner = person == me
    name = isOwner ? "you" : contacts.name(of: person) ?? "\(person)"
  }

  func be(_ what: String) -> String { "\(name) \(isOwner ? "are" : "is") \(what)" }
  func have(_ what: String) -> String { "\(name) \(isOwner ? "have" : "has") \(what)" }
}

extension MessagingNotification {
  /// A sentence.
  /// - Parameter me: the board's owner, who is called "you".
  public func text(_ contacts: Contacts, me: PersonAddress) -> String {
    func name(_ person: PersonAddress) -> String { Subject(person, contacts, me: me).name }
    switch self {
    case .near(let letters, let place):
      let senders = Set(letters.map(\.from)).sorted().map(name).joined(separator: ", ")
      let count = letters.count == 1 ? "a letter" : "\(letters.count) letters"
      return "\(count) from \(senders) \(letters.count == 1 ? "is" : "are") near"
        + (place.map { ": \($0)" } ?? "")
    case .delivered(let letter):
      return "a letter from \(name(letter.from)) was delivered: read it with "
        + "`godwit letters show \(letter.id.description.prefix(8))`"
    case .receipt(let receipt):
      return "letter \(receipt.letter) to \(name(receipt.by)): \(receipt.outcome.rawValue)"
        + (receipt.reason.map { ", \($0)" } ?? "")
    case .meetingAppeared(let meeting):
      return "\(name(meeting.organizer)) holds a meeting nearby: \(meeting.name)"
    case .meetingChanged(let meeting, let changes):
      return "\(meeting.name) has changed: "
        + changes.map(\.noun).joined(separator: ", ")
    case .meetingOver(let meeting, let end): return "\(meeting.name) \(end.inWords)"
    case .attended(let meeting, let attendance):
      let action = attendance.action == .join ? "has joined" : "has left"
      return "\(name(attendance.person)) \(action) \(meeting.name)"
    case .group(let group, let news):
      return "\(group.name): \(news.text { Subject($0, contacts, me: me) })"
    }
  }
}

extension MeetingChange {
  fileprivate var noun: String {
    switch self {
    case .name: "its name"
    case .description: "its description"
    case .spot: "its spot"
    case .time: "its time"
    case .region: "its region"
    case .invitation: "the invited people"
    }
  }
}

extension MeetingEnd {
  fileprivate var inWords: String {
    switch self {
    case .ended: "is over"
    case .cancelled: "was cancelled"
    case .removed: "was removed"
    case .uninvited: "is no longer open to you"
    }
  }
}

extension GroupChange {
  fileprivate var noun: String {
    switch self {
    case .name: "its name"
    case .description: "its description"
    case .range: "its range"
    case .end: "its end"
    case .schedule: "its hours"
    case .invitation: "the people who may join"
    case .positions: "the interval of position requests or the maximum age of positions"
    }
  }
}

extension GroupNotification {
  fileprivate func text(_ subject: (PersonAddress) -> Subject) -> String {
    func since(_ date: UTCInstant?) -> String {
      date.map { " since \(ISO8601.text($0))" } ?? ""
    }
    switch self {
    case .joined(let person): return subject(person).have("joined")
    case .left(let person): return subject(person).have("left")
    case .fellBehind(let person, let distance):
      return subject(person).be("out of range, \(distance.inWords) from the guide")
    case .back(let person): return subject(person).be("back in range")
    case .missing(let person, let date):
      return "no position from \(subject(person).name) has been received\(since(date))"
    case .receivedAgain(let person):
      return "positions from \(subject(person).name) are received again"
    case .guideSilent(let date):
      return "no position from the guide has been received\(since(date))"
    case .guideReceived: return "positions from the guide are received again"
    case .changed(let changes):
      return "the group has changed: \(changes.map(\.noun).joined(separator: ", "))"
    case .ended: return "the group has ended"
    }
  }
}
