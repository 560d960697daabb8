import Core
import Records
import TestSupport

@testable import Messaging

/// An inbox with its store and all its effects.
struct LetterBench {
  /// Letters reported as near, all at one place.
  struct Near: Hashable {
    let place: String?
    let letters: [LetterKey]
  }

  struct Refusal: Hashable {
    let letter: LetterKey
    let reason: LetterRefusal

    init(_ letter: LetterKey, _ reason: LetterRefusal) {
      self.letter = letter
      self.reason = reason
    }

    init?(_ refusal: MessagingRefusal) {
      let words = refusal.subject.split(separator: " ").map(String.init)
      guard words.count == 4, words[0] == "letter", let id = UniqueID(words[1]),
        let from = try? PersonAddress(words[3]),
        let reason = LetterRefusal.allCases.first(where: {
          $0.text(of: from) == refusal.error.reason
        })
      else { return nil }
      self.init(LetterKey(id, from: from), reason)
    }
  }

  static let date = UTCInstant(seconds: 1_777_600_000)
  static let anna = try! PersonAddress("anna")
  static let ben = try! PersonAddress("ben")
  static let carl = try! PersonAddress("carl")
  static let mallory = try! PersonAddress("mallory")
  static let home = Coordinate(latitude: 48.2, longitude: 16.37)

  static func id(_ number: Int) -> UniqueID {
    UniqueID(bytes: Array(repeating: 0, count: 14) + [UInt8(number >> 8), UInt8(number & 255)])!
  }

  /// A position at this distance east of home.
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
  /// How many seconds the clock was set back.
  var setBack = 0.0
  var contacts: Contacts
  /// The records on the disk.
  private(set) var stored: [LetterKey: LetterRecord] = [:]
  private(set) var storedBoxes: [UniqueID: Letterbox] = [:]
  private(set) var notices: [Near] = []
  private(set) var delivered: [LetterKey] = []
  private(set) var refused: [Refusal] = []
  private(set) var receipts: [LetterReceipt] = []
  private(set) var boxErrors: [MessageError] = []

  init(for me: PersonAddress = anna, contacts: Contacts = contacts()) {
    self.contacts = contacts
    inbox = LetterInbox(for: me, contacts: contacts)
  }

  var wake: BootInstant? { inbox.wake }

  var date: UTCInstant? { hasDate ? Self.date + Seconds(now - setBack) : nil }

  /// - Parameter isLost: the power fails before the step is durable.
  mutating func step(_ event: LetterEvent, isLost: Bool = false) throws {
    if case .contacts(let contacts) = event { self.contacts = contacts }
    now += 1
    var step = MessagingStep(at: .boot(now), date: date, hasBroker: true)
    inbox.step(event, &step)
    guard !isLost else { return try restart() }
    for key in step.result.change.removed { try store(key, nil) }
    for item in step.result.change.stored { try store(item.key, Array(item.text.utf8)) }
    for news in step.result.notifications {
      switch news {
      case .near(let letters, let place):
        notices.append(Near(place: place, letters: letters.map(\.key)))
      case .delivered(let letter): delivered.append(letter.key)
      default: break
      }
    }
    refused += step.result.refusals.compactMap(Refusal.init)
    boxErrors += step.result.refusals.filter { $0.subject.hasPrefix("letterbox") }.map(\.error)
    receipts += step.queue.receipts
  }

  private mutating func store(_ key: StoredMessage.Key, _ bytes: [UInt8]?) throws {
    switch key.kind {
    case .letter:
      if let bytes {
        let record = try LetterRecord(bytes)
        stored[record.key] = record
      } else {
        for letter in stored.keys where .letter(letter) == key { stored[letter] = nil }
      }
    case .letterbox:
      guard let id = UniqueID(key.name) else { return }
      storedBoxes[id] = nil
      if let bytes, case .box(let box) = try PeerMessage(bytes) { storedBoxes[id] = box }
    default: break
    }
  }

  mutating func come(_ east: Metres, accuracy: Metres = 5, isLost: Bool = false) throws {
    let location = Location(
      time: Self.date + Seconds(now), position: Self.position(east), accuracy: accuracy)
    try step(.located(location), isLost: isLost)
  }

  /// The power fails, and the board restarts from its disk.
  mutating func restart() throws {
    inbox = LetterInbox(for: inbox.me, contacts: contacts)
    for record in stored.values { inbox.restore(try LetterRecord(record.bytes)) }
    for box in storedBoxes.values { inbox.restore(box) }
  }
}
