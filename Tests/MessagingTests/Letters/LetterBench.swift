import Core
import Records
import TestSupport

@testable import Messaging

/// An inbox with what surrounds it: the store, and everything that it was told to do.
struct LetterBench {
  static let date = UTCInstant(seconds: 1_777_600_000)
  static let anna = try! PersonAddress("anna")
  static let ben = try! PersonAddress("ben")
  static let carl = try! PersonAddress("carl")
  static let mallory = try! PersonAddress("mallory")
  static let home = Coordinate(latitude: 48.2, longitude: 16.37)

  static func id(_ number: Int) -> UniqueID {
    UniqueID(bytes: Array(repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)])!
  }

  /// So far to the east of home.
  static func position(_ east: Metres) -> Coordinate {
    Sphere.destination(from: home, bearing: 90, distance: east)
  }

  static func circle(
    _ east: Metres = 0, radius: Metres = LetterCircle.landsmann, name: String? = nil
  ) -> LetterCircle { try! LetterCircle(centre: position(east), radius: radius, name: name) }

  static func letter(
    _ number: Int = 1, from: PersonAddress = ben, to: Addressees = .people([anna]),
    at spot: Letter.Spot = .circle(circle()), written: UTCInstant? = date,
    expires: UTCInstant? = nil, text: String = "The key is under the mat."
  ) -> Letter {
    try! Letter(
      id: id(number), from: from, to: to, at: spot, written: written, expires: expires, text: text)
  }

  static func contacts(_ welcome: Contacts.Welcome = .everybody) -> Contacts {
    Contacts(welcome: welcome)
  }

  private(set) var inbox: LetterInbox
  var now = 0.0
  var hasDate = true
  /// By how many seconds the clock was set back.
  var setBack = 0.0
  var contacts: Contacts
  /// What is on the disk.
  private(set) var stored: [LetterKey: LetterRecord] = [:]
  private(set) var storedBoxes: [UniqueID: Letterbox] = [:]
  private(set) var notices: [LetterNotice] = []
  private(set) var delivered: [LetterKey] = []
  private(set) var refused: [LetterRefusal] = []
  private(set) var receipts: [LetterReceipt] = []
  private(set) var boxErrors: [MessageError] = []
  private(set) var wake: BootInstant?

  init(for me: PersonAddress = anna, contacts: Contacts = contacts()) {
    self.contacts = contacts
    inbox = LetterInbox(for: me, contacts: contacts)
  }

  var date: UTCInstant? { hasDate ? Self.date + Seconds(now - setBack) : nil }

  /// - Parameter isLost: the power fails before anything of it is durable.
  @discardableResult
  mutating func step(_ event: LetterEvent, isLost: Bool = false) throws -> [LetterEffect] {
    if case .contacts(let contacts) = event { self.contacts = contacts }
    now += 1
    let effects = inbox.step(event, at: .boot(now), date: date)
    guard !isLost else {
      try restart()
      return []
    }
    for effect in effects {
      switch effect {
      case .store(let record): stored[record.key] = record
      case .forget(let key): stored[key] = nil
      case .storeBox(let box): storedBoxes[box.id] = box
      case .removeBox(let id): storedBoxes[id] = nil
      case .notice(let notice): notices.append(notice)
      case .delivered(let letter): delivered.append(letter.key)
      case .refused(let refusal): refused.append(refusal)
      case .boxRefused(_, let error): boxErrors.append(error)
      case .send(let receipt): receipts.append(receipt)
      case .wake(let wake): self.wake = wake
      }
    }
    return effects
  }

  mutating func come(_ east: Metres, accuracy: Metres = 5, isLost: Bool = false) throws {
    let location = Location(
      time: Self.date + Seconds(now), position: Self.position(east), accuracy: accuracy)
    try step(.located(location), isLost: isLost)
  }

  /// The power fails, and the board starts again from what is on the disk.
  mutating func restart() throws {
    inbox = LetterInbox(
      for: inbox.me, contacts: contacts,
      restoring: try stored.values.map { try LetterRecord($0.bytes) },
      boxes: Array(storedBoxes.values))
  }
}
