import Notation
import People

/// The letters that are known, within bounds: whatever is sent, the shelf does not grow.
///
/// What is settled is remembered so that it is not delivered again, the oldest forgotten first.
/// What was refused or withdrawn without having been here has a bound of its own: a flood of it
/// must not make the shelf forget what was delivered.
struct LetterShelf: Sendable {
  private static let hearsay = 512

  private var records: [LetterKey: LetterRecord] = [:]
  private var numbers = 0

  init(_ records: [LetterRecord]) {
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

  /// Why there is no room for another one; nil: there is.
  func lack(for letter: Letter) -> LetterRefusal.Reason? {
    let waiting = records.values.filter { $0.standing == .waiting }
    guard waiting.count < LetterLimits.letters else { return .noRoom }
    if letter.to == .everybody {
      let count = waiting.count { $0.letter?.to == .everybody }
      guard count < LetterLimits.toEverybody else { return .noRoom }
    }
    let count = waiting.count { $0.key.from == letter.from }
    return count < LetterLimits.perSender ? nil : .tooManyOfSender
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
      Self.oldest(delivered, beyond: LetterLimits.letters)
      + Self.oldest(read, beyond: LetterLimits.read)
    for var record in dropped {
      // It was delivered: only its nearness is not told any more.
      record.letter = nil
      record.isNear = false
      put(record)
      changed.append(record)
    }
    let forgotten =
      Self.oldest(records.values.filter(\.isSettled), beyond: LetterLimits.settled)
      + Self.oldest(records.values.filter(\.isHearsay), beyond: Self.hearsay)
    for record in forgotten { remove(record.key) }
    return (changed, forgotten.map(\.key))
  }

  private static func oldest(_ records: [LetterRecord], beyond most: Int) -> [LetterRecord] {
    guard records.count > most else { return [] }
    // By far the commonest case.
    if records.count == most + 1 { return records.min { $0.number < $1.number }.map { [$0] } ?? [] }
    return Array(records.sorted { $0.number < $1.number }.prefix(records.count - most))
  }
}
