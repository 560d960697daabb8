import Core
import Records

/// The known letters, within bounds: the cache does not grow, whatever is sent. Every change is
/// stored.
///
/// Settled letters are remembered so that they are not delivered again; the oldest are forgotten
/// first. Letters that were refused or withdrawn without ever being here have a separate limit: a
/// flood of them must not displace the memory of delivered ones. Unknown people have separate
/// limits, too, so that contacts' letters always have room and are not forgotten.
struct LetterCache: Sendable {
  private static let maxUnseen = 512

  private let me: PersonAddress
  var contacts: Contacts
  private var records: [LetterKey: LetterRecord] = [:]
  private var numbers = 0

  init(of me: PersonAddress, _ contacts: Contacts) {
    self.me = me
    self.contacts = contacts
  }

  mutating func restore(_ record: LetterRecord) {
    records[record.key] = record
    numbers = max(numbers, record.number + 1)
  }

  subscript(_ key: LetterKey) -> LetterRecord? { records[key] }

  /// In the order of arrival.
  var all: [LetterRecord] { records(where: { _ in true }) }
  var waiting: [LetterRecord] { records(where: { $0.status == .waiting }) }
  /// Letters whose nearness is reported: waiting, or delivered and not read.
  var unread: [LetterRecord] {
    records(where: { $0.letter != nil && $0.status != .read })
  }

  private func records(where isMeant: (LetterRecord) -> Bool) -> [LetterRecord] {
    records.values.filter(isMeant).sorted { $0.number < $1.number }
  }

  /// Whether a person is not a contact.
  func isUnknown(_ person: PersonAddress) -> Bool { contacts.isUnknown(person, to: me) }

  enum Room {
    case free
    /// That letter is dropped to make room.
    case instead(of: Letter)
    case none(LetterRefusal)
  }

  /// Whether there is room for another one.
  func room(for letter: Letter) -> Room {
    let isFromUnknownSender = isUnknown(letter.from)
    let waiting = records.values.filter {
      $0.status == .waiting && isUnknown($0.key.from) == isFromUnknownSender
    }
    guard waiting.count(where: { $0.key.from == letter.from }) < MessagingLimits.lettersPerSender
    else {
      return .none(.tooManyOfSender)
    }
    if isFromUnknownSender { return roomForUnknownSenders(waiting, for: letter) }
    let isFull =
      waiting.count >= MessagingLimits.letters
      || letter.to == .everybody
        && waiting.count { $0.letter?.to == .everybody } >= MessagingLimits.lettersToEverybody
    return isFull ? .none(.noRoom) : .free
  }

  /// The oldest letter of the sender with the most is dropped. A letter that was dropped before,
  /// and arrives again from a broker, displaces none: they would replace each other endlessly.
  private func roomForUnknownSenders(_ waiting: [LetterRecord], for letter: Letter) -> Room {
    guard waiting.count >= MessagingLimits.lettersOfUnknown else { return .free }
    let oldest = contacts.firstToGo(of: waiting, for: me, heldBy: \.key.from)
      .min { $0.number < $1.number }?.letter
    guard let oldest, records[letter.key] == nil else { return .none(.noRoom) }
    return .instead(of: oldest)
  }

  /// A record with the next number, replacing the earlier record of the letter.
  mutating func made(
    _ key: LetterKey, _ standing: LetterRecord.Status, letter: Letter? = nil,
    reason: LetterRefusal? = nil
  ) -> LetterRecord {
    numbers += 1
    return LetterRecord(key, number: numbers - 1, standing, letter: letter, reason: reason)
  }

  mutating func put(_ record: LetterRecord, _ step: inout MessagingStep) {
    records[record.key] = record
    step.keep(.letter(record.key), record.bytes)
  }

  mutating func remove(_ key: LetterKey, _ step: inout MessagingStep) {
    records[key] = nil
    step.forget(.letter(key))
  }

  mutating func enforceLimits(_ step: inout MessagingStep) {
    let delivered = records.values.filter { $0.status == .delivered && $0.letter != nil }
    let read = records.values.filter { $0.status == .read && $0.letter != nil }
    let dropped =
      surplus(delivered, MessagingLimits.letters, ofUnknown: MessagingLimits.lettersOfUnknown)
      + surplus(read, MessagingLimits.readLetters, ofUnknown: MessagingLimits.readLetters)
    for var record in dropped {
      // It was delivered; only its nearness is no longer reported.
      record.letter = nil
      record.isNear = false
      put(record, &step)
    }
    let settled = records.values.filter(\.isSettled)
    let forgotten =
      surplus(settled, MessagingLimits.settledLetters, ofUnknown: MessagingLimits.settledLetters)
      + surplus(records.values.filter(\.isUnseen), Self.maxUnseen, ofUnknown: Self.maxUnseen)
    for record in forgotten { remove(record.key, &step) }
  }

  /// The oldest records beyond the limits for contacts and for unknown people.
  private func surplus(
    _ records: [LetterRecord], _ most: Int, ofUnknown mostOfUnknown: Int
  ) -> [LetterRecord] {
    // By far the most common case.
    guard records.count > min(most, mostOfUnknown) else { return [] }
    let unknown = records.filter { isUnknown($0.key.from) }
    let contacts = records.filter { !isUnknown($0.key.from) }
    return Self.oldest(contacts, beyond: most) + Self.oldest(unknown, beyond: mostOfUnknown)
  }

  private static func oldest(_ records: [LetterRecord], beyond most: Int) -> [LetterRecord] {
    guard records.count > most else { return [] }
    if records.count == most + 1 { return records.min { $0.number < $1.number }.map { [$0] } ?? [] }
    return Array(records.sorted { $0.number < $1.number }.prefix(records.count - most))
  }
}
