import Messaging
import Core
import PeopleExperiment

/// The people of these tests, with their letters, meetings and groups.
enum People {
  static let anna = try! PersonAddress("anna")
  static let ben = try! PersonAddress("ben")
  static let carl = try! PersonAddress("carl")
  static let mallory = try! PersonAddress("mallory")
  static let all = [anna, ben, carl]

  static func id(_ number: Int) -> UniqueID {
    UniqueID(bytes: Array(repeating: 9, count: 14) + [UInt8(number >> 8), UInt8(number & 255)])!
  }

  // MARK: Letters

  /// A circle at this distance east of home.
  static func circle(_ east: Metres = 0, name: String? = nil) -> LetterCircle {
    try! LetterCircle(centre: PeopleWorld.place(east), name: name)
  }

  static func letter(
    _ number: Int = 1, from: PersonAddress = ben, to: Addressees = .people([anna]),
    at spot: Letter.Spot = .circle(circle()), written: UTCInstant? = PeopleWorld.start,
    expires: Seconds? = nil, text: String = "The key is under the mat."
  ) -> Letter {
    try! Letter(
      id: id(number), from: from, to: to, at: spot, written: written,
      expires: expires.map { PeopleWorld.start + $0 }, text: text)
  }

  static func box(
    _ number: Int = 500, owner: PersonAddress = ben, revision: Int = 1,
    for people: [PersonAddress] = [anna], at east: Metres = 0
  ) -> Letterbox {
    try! Letterbox(
      id: id(number), owner: owner, revision: revision, name: "The oak", for: .people(people),
      at: circle(east))
  }

  /// Contacts of a person who knows everybody here except Mallory.
  static func contacts(_ welcome: Contacts.Welcome = .contacts) -> Contacts {
    var contacts = Contacts(welcome: welcome)
    for person in all { try! contacts.add("\(person)", person) }
    return contacts
  }

  // MARK: Groups and meetings

  static let group = id(700)

  static func group(
    revision: Int = 1, guide: PersonAddress = anna, range: Metres = 200,
    allowed: Addressees = .everybody, ends: Seconds? = nil
  ) -> Group {
    try! Group(
      id: group, revision: revision, name: "Class 3b", guide: guide, range: range,
      allowed: allowed, ends: ends.map { PeopleWorld.start + $0 }, oldest: 600, pause: 240)
  }

  static let meeting = id(800)

  /// Five hundred metres around the stage at home, for two hours, beginning in an hour.
  static func meeting(
    revision: Int = 1, by organizer: PersonAddress = ben, spot: Metres = 0,
    starts: Seconds = 3600, ends: Seconds = 10_800, invited: Addressees = .everybody,
    isCancelled: Bool = false
  ) -> Meeting {
    try! Meeting(
      id: meeting, revision: revision, organizer: organizer, name: "Festival",
      spot: PeopleWorld.place(spot),
      region: try! MeetingRegion(around: PeopleWorld.place(0), radius: 500),
      starts: PeopleWorld.start + starts, ends: PeopleWorld.start + ends, invited: invited,
      isCancelled: isCancelled)
  }
}

extension PeopleWorld {
  /// A person who knows the others.
  func person(
    _ person: PersonAddress, at east: Metres = 0, welcome: Contacts.Welcome = .contacts,
    hasBroker: Bool = true
  ) -> VirtualBoard {
    let board = board(of: person, at: east, hasBroker: hasBroker)
    board.does(.contacts(People.contacts(welcome)))
    return board
  }

  func topics(_ start: String) -> [String] {
    broker.topics(at: now).filter { $0.hasPrefix(start) }
  }
}

extension VirtualBoard {
  /// The IDs of the delivered letters, in order of delivery.
  var delivered: [UniqueID] {
    news.compactMap { if case .delivered(let letter) = $0 { letter.id } else { nil } }
  }
  /// How often letters were reported as near.
  var nearNotices: Int { news.count { if case .near = $0 { true } else { false } } }
  var receipts: [LetterReceipt] {
    news.compactMap { if case .receipt(let receipt) = $0 { receipt } else { nil } }
  }
  /// The letters written here that have not ended.
  var published: [OutgoingLetter] { messaging.outgoing.filter { !$0.isOver } }
  func standing(_ number: Int) -> LetterRecord.Status? {
    messaging.letterRecords.first { $0.key.id == People.id(number) }?.status
  }
  var groupNotification: [GroupNotification] {
    news.compactMap { if case .group(_, let news) = $0 { news } else { nil } }
  }
  /// The notifications by their texts in the log, without letters.
  var meetingNews: [MessagingNotification] {
    news.filter { news in
      switch news {
      case .meetingAppeared, .meetingChanged, .meetingOver, .attended: true
      case .near, .delivered, .receipt, .group: false
      }
    }
  }
  var isInGroup: Bool { messaging.isInGroup(People.group) }
}
