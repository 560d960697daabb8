import Messaging
import FuzzInput
import Core
import Records

/// A board and its disk; its owner knows Ben and accepts everybody. After every step a board that
/// starts from the disk must have the same state.
struct BoardOfAnna {
  private static let start = UTCInstant(seconds: 1_777_636_800)  // 2026-05-01, noon
  private static let me: PersonAddress = {
    guard let me = try? PersonAddress("anna") else { preconditionFailure("an address") }
    return me
  }()

  private var messaging = MessagingState(of: me, hasBroker: true)
  private var disk: [StoredMessage.Key: StoredMessage] = [:]
  private var now = BootInstant.zero
  /// The date at zero of the clock; nil: the date is not known.
  private var booted: UTCInstant? = start

  init() {
    var contacts = Contacts(welcome: .everybody)
    guard let ben = try? PersonAddress("ben"), (try? contacts.add("Ben", ben)) != nil else {
      preconditionFailure("a contact")
    }
    apply(messaging.step(.contacts(contacts), at: now, date: Self.start))
  }

  private var date: UTCInstant? { booted.map { $0 + (now - .zero) } }

  mutating func step(_ event: MessagingEvent) throws(Violation) {
    let turn = messaging.step(event, at: now, date: date)
    apply(turn)
    for refusal in turn.refusals {
      try require(!refusal.error.reason.isEmpty, "no reason: \(refusal)")
    }
    for news in turn.notifications {
      try require(!news.text(messaging.contacts, me: messaging.me).isEmpty, "no words: \(news)")
    }
    try requireStored()
    if let wake = messaging.wake { try require(wake > now, "a wake in the past after \(event)") }
  }

  mutating func locate(_ at: (position: Coordinate, accuracy: Metres)) throws(Violation) {
    let time = date ?? UTCInstant(seconds: 0)
    try step(.located(Location(time: time, position: at.position, accuracy: at.accuracy)))
  }

  /// Lets time pass and wakes the board at the times it requests.
  mutating func pass(_ seconds: Double) throws(Violation) {
    let end = now + Seconds(seconds)
    for _ in 0..<20 {
      guard let wake = messaging.wake, wake <= end else { break }
      now = max(now, wake)
      try step(.timePassed)
    }
    now = max(now, end)
    try step(.timePassed)
  }

  mutating func setDate(_ seconds: Double?) {
    booted = seconds.flatMap {
      (0...1e10).contains($0) ? UTCInstant(seconds: $0) - (now - .zero) : nil
    }
  }

  mutating func restart() throws(Violation) {
    try requireStored()
    messaging = restored
    try step(.timePassed)
  }

  private var restored: MessagingState {
    let items = disk.values.sorted {
      ($0.key.kind.rawValue, $0.key.name) < ($1.key.kind.rawValue, $1.key.name)
    }
    return MessagingState(of: Self.me, hasBroker: true, restoring: items)
  }

  private mutating func apply(_ turn: MessagingResult) {
    for key in turn.change.removed { disk[key] = nil }
    for item in turn.change.stored { disk[item.key] = item }
  }

  private func requireStored() throws(Violation) {
    let again = restored
    try require(again.remarks.isEmpty, "cannot be read again: \(again.remarks)")
    try require(again.contacts == messaging.contacts, "other contacts: \(again.contacts)")
    try require(
      again.letterRecords == messaging.letterRecords, "other letters: \(again.letterRecords)")
    try require(again.letterboxes == messaging.letterboxes, "other boxes: \(again.letterboxes)")
    try require(
      again.outgoing == messaging.outgoing, "other letters of one's own: \(again.outgoing)")
    try require(
      again.meetingRecords == messaging.meetingRecords, "other meetings: \(again.meetingRecords)")
    try require(again.groupStates == messaging.groupStates, "other groups: \(again.groupStates)")
    try require(again.pending == messaging.pending, "something else to send: \(again.pending)")
  }
}
