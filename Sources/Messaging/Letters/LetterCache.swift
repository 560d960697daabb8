import Core

/// The letters that are known, within bounds: whatever is sent, the cache does not grow.
///
/// What is settled is remembered so that it is not delivered again, the oldest forgotten first.
/// What was refused or withdrawn without having been here has a bound of its own: a flood of it
/// must not make the cache forget what was delivered. So have strangers: whatever they send, a
/// contact's letters have their room, and are not forgotten.
struct LetterCache: Sendable {
  private static let hearsay = 512

  private let me: PersonAddress
  var contacts: Contacts
  private var records: [LetterKey: LetterRecord] = [:]
  private var numbers = 0

  init(_ records: [LetterRecord], of me: PersonAddress, _ contacts: Contacts) {
    self.me = me
    self.contacts = contacts
    for record in records { self.records[record.key] = record }
    numbers = (records.map(\.number).max() ?? -1) + 1
  }

  subscript(_ key: LetterKey) -> LetterRecord? { records[key] }

  /// In the order in which they became known.
  var all: [LetterRecord] { records(where: { _ in true }) }
  var waiting: [LetterRecord] { records(where: { $0.standing == .waiting }) }
  /// Those whose nearness is told: they wait, or are delivered and not read.
  var unread: [LetterRecord] {
    records(where: { $0.letter != nil && $0.standing != .read })
  }

  private func records(where isMeant: (LetterRecord) -> Bool) -> [LetterRecord] {
    records.values.filter(isMeant).sorted { $0.number < $1.number }
  }

  /// Whether somebody is no contact.
  func isStranger(_ person: PersonAddress) -> Bool { contacts.isStranger(person, to: me) }

  enum Room {
    case free
    /// That one gives way.
    case instead(of: Letter)
    case none(LetterRefusal.Reason)
  }

  /// Whether there is room for another one.
  func room(for letter: Letter) -> Room {
    let isOfStranger = isStranger(letter.from)
    let waiting = records.values.filter {
      $0.standing == .waiting && isStranger($0.key.from) == isOfStranger
    }
    guard waiting.count(where: { $0.key.from == letter.from }) < LetterLimits.perSender else {
      return .none(.tooManyOfSender)
    }
    if isOfStranger { return roomAmongStrangers(waiting, for: letter) }
    let isFull =
      waiting.count >= LetterLimits.letters
      || letter.to == .everybody
        && waiting.count { $0.letter?.to == .everybody } >= LetterLimits.toEverybody
    return isFull ? .none(.noRoom) : .free
  }

  /// The oldest of who has most gives way. What had to give way before, and comes again from a
  /// broker, makes no other do so: they would take turns for ever.
  private func roomAmongStrangers(_ waiting: [LetterRecord], for letter: Letter) -> Room {
    guard waiting.count >= LetterLimits.lettersOfStrangers else { return .free }
    let oldest = contacts.firstToGo(of: waiting, for: me, heldBy: \.key.from)
      .min { $0.number < $1.number }?.letter
    guard let oldest, records[letter.key] == nil else { return .none(.noRoom) }
    return .instead(of: oldest)
  }

  /// A record with the next number, in place of what was known of the letter.
  mutating func made(
    _ key: LetterKey, _ standing: LetterRecord.Standing, letter: Letter? = nil,
    reason: LetterRefusal.Reason? = nil
  ) -> LetterRecord {
    numbers += 1
    return LetterRecord(key, number: numbers - 1, standing, letter: letter, reason: reason)
  }

  mutating func put(_ record: LetterRecord) { records[record.key] = record }
  mutating func remove(_ key: LetterKey) { records[key] = nil }

  /// Keeps to the bounds.
  /// - Returns: what has changed by it, and what was forgotten.
  mutating func tidy() -> (changed: [LetterRecord], forgotten: [LetterKey]) {
    var changed: [LetterRecord] = []
    let delivered = records.values.filter { $0.standing == .delivered && $0.letter != nil }
    let read = records.values.filter { $0.standing == .read && $0.letter != nil }
    let dropped =
      surplus(delivered, LetterLimits.letters, ofStrangers: LetterLimits.lettersOfStrangers)
      + surplus(read, LetterLimits.read, ofStrangers: LetterLimits.read)
    for var record in dropped {
      // It was delivered: only its nearness is not told any more.
      record.letter = nil
      record.isNear = false
      put(record)
      changed.append(record)
    }
    let settled = records.values.filter(\.isSettled)
    let forgotten =
      surplus(settled, LetterLimits.settled, ofStrangers: LetterLimits.settled)
      + surplus(records.values.filter(\.isHearsay), Self.hearsay, ofStrangers: Self.hearsay)
    for record in forgotten { remove(record.key) }
    return (changed, forgotten.map(\.key))
  }

  /// The oldest beyond what is kept of contacts, and of strangers.
  private func surplus(
    _ records: [LetterRecord], _ most: Int, ofStrangers mostOfStrangers: Int
  ) -> [LetterRecord] {
    // By far the commonest case.
    guard records.count > min(most, mostOfStrangers) else { return [] }
    let strangers = records.filter { isStranger($0.key.from) }
    let contacts = records.filter { !isStranger($0.key.from) }
    return Self.oldest(contacts, beyond: most) + Self.oldest(strangers, beyond: mostOfStrangers)
  }

  private static func oldest(_ records: [LetterRecord], beyond most: Int) -> [LetterRecord] {
    guard records.count > most else { return [] }
    if records.count == most + 1 { return records.min { $0.number < $1.number }.map { [$0] } ?? [] }
    return Array(records.sorted { $0.number < $1.number }.prefix(records.count - most))
  }
}
