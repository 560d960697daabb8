import Geodesy
import Notation
import People
import Quantities
import Records

/// Everything that is decided about letters for one person: takes what has happened and answers
/// with what to do (Landsmann 2013, chapter 4). It reads no clock and waits for nothing.
///
/// A letter waits at its place until whom it is for comes, it is over, or its sender takes it back.
/// It is delivered once, whatever arrives again and however often the board was restarted. That it
/// is near is told whenever the board comes there, until it is read.
public struct LetterInbox: Sendable {
  /// How long a location still says where the board is to a letter that arrives.
  private static let fresh: Seconds = 120
  /// How long a letter may be here before its box: whoever has sent the one sends the other.
  private static let patience: Seconds = .hours(1)

  public let me: PersonAddress
  private var contacts: Contacts { shelf.contacts }
  private var shelf: LetterCache
  private var boxes: LetterBoxes
  private var last: (location: Location, at: BootInstant)?
  private var told: BootInstant?
  /// Whether it was told that letters wait for room for their receipts.
  private var isHeld = false

  /// - Parameters:
  ///   - records: as an earlier run has stored them.
  public init(
    for me: PersonAddress, contacts: Contacts, restoring records: [LetterRecord] = [],
    boxes: [Letterbox] = []
  ) {
    self.me = me
    shelf = LetterCache(records, of: me, contacts)
    self.boxes = LetterBoxes(boxes, of: me)
  }

  // MARK: What is known

  /// In the order in which they became known.
  public var records: [LetterRecord] { shelf.all }
  public var letterboxes: [Letterbox] { boxes.all }

  /// Where undelivered letters lie in Landsmann's box of 20 km around a position: what is farther
  /// away does not count.
  public func circles(around position: Coordinate) -> [LetterCircle] {
    let box = TopicArea.box(around: position)
    return Set(shelf.waiting.compactMap { circle(of: $0) }).filter { box.contains($0.centre) }
      .sorted { Sphere.distance($0.centre, position) < Sphere.distance($1.centre, position) }
  }

  // MARK: What happens

  /// - Parameters:
  ///   - now: never earlier than before.
  ///   - date: of now; nil: it is not known, and nothing is over then.
  ///   - room: how many receipts can be kept until they are sent. What needs one waits as long as
  ///     there is none: nobody's receipt is lost.
  public mutating func step(
    _ event: LetterEvent, at now: BootInstant, date: UTCInstant?, room: Int = .max
  ) -> [LetterEffect] {
    var turn = LetterStep(date: MessageCheck.believable(date), room: room)
    if room > LetterLimits.receiptsForContacts { isHeld = false }
    switch event {
    case .arrived(let letter): arrived(letter, now, &turn)
    case .withdrawn(let withdrawal): withdrawn(withdrawal.key, &turn)
    case .box(let box): heard(box, &turn)
    case .boxRemoved(let id, let owner): removed(id, by: owner, &turn)
    case .receipt(let receipt): heard(receipt, &turn)
    case .located(let location): located(location, now, &turn)
    case .read(let key), .answered(let key): read(key, &turn)
    case .contacts(let contacts): changed(contacts, &turn)
    case .timePassed: break
    }
    expire(&turn)
    missBoxes(&turn)
    tidy(&turn)
    plan(now, &turn)
    return turn.effects
  }

  // MARK: Arriving

  private mutating func arrived(
    _ letter: Letter, _ now: BootInstant, _ turn: inout LetterStep
  ) {
    // What this person has written to everybody comes back over a broker.
    if letter.from == me, letter.to == .everybody { return }
    let known = shelf[letter.key]
    guard known == nil || known?.standing == .refused else { return }
    if let reason = refusal(of: letter) {
      // What lies elsewhere comes again when the board comes there.
      if reason == .elsewhere { return turn.tell(.refused(LetterRefusal(letter.key, reason))) }
      guard known?.reason != reason else { return }
      return refuse(letter, reason, &turn)
    }
    guard makeRoom(for: letter, &turn) else { return }
    put(shelf.made(letter.key, .waiting, letter: letter), &turn)
    if letter.isOver(at: turn.date) { return }
    guard let last, now - last.at <= Self.fresh, let nearness = LetterNearness(last.location)
    else { return }
    look(nearness, [letter.key], &turn)
  }

  private func refusal(of letter: Letter) -> LetterRefusal.Reason? {
    guard letter.to.include(me) else { return .notForMe }
    if let reason = unwelcome(letter.from) { return reason }
    if case .box(let id) = letter.spot, let box = boxes[id],
      !box.gives(to: me, from: letter.from)
    {
      return .notOfBox
    }
    if letter.to == .everybody, isFar(letter) { return .elsewhere }
    if case .none(let reason) = shelf.room(for: letter) { return reason }
    return nil
  }

  /// - Returns: whether there is room now: who has to give way is told, for which there has to be
  ///   room, too.
  private mutating func makeRoom(for letter: Letter, _ turn: inout LetterStep) -> Bool {
    guard case .instead(let other) = shelf.room(for: letter) else { return true }
    refuse(other, .noRoom, &turn)
    return shelf[other.key]?.standing != .waiting
  }

  /// Why somebody may leave nothing here; nil: this person may.
  private func unwelcome(_ sender: PersonAddress) -> LetterRefusal.Reason? {
    switch contacts.verdict(on: sender, to: me) {
    case .welcome: nil
    case .blocked: .blocked
    case .unknown: .stranger
    case .closed: .closed
    }
  }

  /// In none of the areas that are listened to here: it comes again as soon as one of its own is.
  /// By its distance alone one could be refused that lies in an area which is listened to already,
  /// and a broker would not give it again on the way there.
  private func isFar(_ letter: Letter) -> Bool {
    guard case .circle(let circle) = letter.spot, let last,
      let around = TopicArea.covering(TopicArea.box(around: last.location.position)),
      let areas = TopicArea.covering(circle.surroundings.box)
    else { return false }
    return Set(around).isDisjoint(with: areas)
  }

  private mutating func refuse(
    _ letter: Letter, _ reason: LetterRefusal.Reason, _ turn: inout LetterStep
  ) {
    guard !reason.isTold || hasRoom(letter.key, &turn) else { return }
    put(shelf.made(letter.key, .refused, reason: reason), &turn)
    turn.tell(.refused(LetterRefusal(letter.key, reason)))
    if reason.isTold { receipt(letter.key, .refused, reason: reason.text(of: letter.from), &turn) }
  }

  private mutating func withdrawn(_ key: LetterKey, _ turn: inout LetterStep) {
    switch shelf[key]?.standing {
    case nil: put(shelf.made(key, .withdrawn), &turn)
    case .waiting: settle(key, .withdrawn, &turn)
    // Who has it has it.
    case .delivered, .read, .withdrawn, .expired: break
    case .refused: settle(key, .withdrawn, &turn)
    }
  }

  /// What another board of this person has delivered is delivered.
  private mutating func heard(_ receipt: LetterReceipt, _ turn: inout LetterStep) {
    guard receipt.by == me, receipt.outcome == .delivered else { return }
    let key = LetterKey(receipt.letter, from: receipt.to)
    switch shelf[key]?.standing {
    case nil: put(shelf.made(key, .delivered), &turn)
    // That it was taken away there is heard first, now and then.
    case .waiting, .refused, .withdrawn: settle(key, .delivered, &turn)
    case .delivered, .read, .expired: break
    }
  }

  // MARK: Boxes and contacts

  private mutating func heard(_ box: Letterbox, _ turn: inout LetterStep) {
    guard box.concerns(me) || boxes[box.id] != nil else {
      let error = MessageError("the letterbox is for somebody else: it is not kept", at: "for")
      return turn.tell(.boxRefused(box.id, error))
    }
    if let reason = unwelcome(box.owner) {
      return turn.tell(.boxRefused(box.id, MessageError(reason.text(of: box.owner))))
    }
    do {
      guard try boxes.put(box, contacts) else { return }
    } catch { return turn.tell(.boxRefused(box.id, error)) }
    turn.keep(box)
  }

  private mutating func removed(
    _ id: UniqueID, by owner: PersonAddress, _ turn: inout LetterStep
  ) {
    guard boxes[id]?.owner == owner else { return }
    boxes.remove(id)
    turn.remove(box: id)
    for record in waiting(in: id) { miss(record, .boxGone, &turn) }
  }

  /// What lies in a box that does not come waits all the same, and whoever has written it is told
  /// once.
  private mutating func missBoxes(_ turn: inout LetterStep) {
    for var record in shelf.waiting {
      guard let letter = record.letter, case .box(let id) = letter.spot else { continue }
      if let box = boxes[id] {
        guard box.gives(to: me, from: letter.from) else {
          refuse(letter, .notOfBox, &turn)
          continue
        }
        guard record.reason != nil || record.missedSince != nil else { continue }
        record.reason = nil
        record.missedSince = nil
        put(record, &turn)
      } else if record.reason == nil, let date = turn.date {
        // A clock that was set back has not waited.
        guard let since = record.missedSince, since <= date else {
          record.missedSince = date
          put(record, &turn)
          continue
        }
        if date - since >= Self.patience { miss(record, .noBox, &turn) }
      }
    }
  }

  private mutating func miss(
    _ record: LetterRecord, _ reason: LetterRefusal.Reason, _ turn: inout LetterStep
  ) {
    guard record.reason == nil, hasRoom(record.key, &turn) else { return }
    var record = record
    record.reason = reason
    record.missedSince = nil
    put(record, &turn)
    turn.tell(.refused(LetterRefusal(record.key, reason)))
    receipt(record.key, .refused, reason: reason.text(of: record.key.from), &turn)
  }

  private func waiting(in box: UniqueID) -> [LetterRecord] {
    shelf.waiting.filter { $0.letter?.spot == .box(box) }
  }

  /// Whoever is not welcome any more leaves nothing behind; what was delivered stays.
  private mutating func changed(_ contacts: Contacts, _ turn: inout LetterStep) {
    shelf.contacts = contacts
    for record in shelf.waiting {
      guard let letter = record.letter, let reason = unwelcome(letter.from) else { continue }
      refuse(letter, reason, &turn)
    }
    // What others have left in such a box waits, as for any that is not known.
    for box in boxes.all where contacts.verdict(on: box.owner, to: me) != .welcome {
      boxes.remove(box.id)
      turn.remove(box: box.id)
    }
  }

  // MARK: Coming by

  private mutating func located(
    _ location: Location, _ now: BootInstant, _ turn: inout LetterStep
  ) {
    guard let nearness = LetterNearness(location) else { return }
    last = (location, now)
    // Over before it is delivered: who comes too late gets nothing.
    expire(&turn)
    for record in shelf.waiting {
      guard let letter = record.letter, letter.to == .everybody, isFar(letter) else { continue }
      shelf.remove(record.key)
      turn.forget(record.key)
    }
    look(nearness, shelf.unread.map(\.key), &turn)
  }

  private mutating func look(
    _ nearness: LetterNearness, _ keys: [LetterKey], _ turn: inout LetterStep
  ) {
    for key in keys {
      guard var record = shelf[key], let letter = record.letter,
        let circle = circle(of: record)
      else { continue }
      let before = record
      if !record.isNear, nearness.isNear(circle) {
        record.isNear = true
        turn.notice(letter, boxes, circle)
      } else if record.isNear, nearness.hasLeft(circle) {
        record.isNear = false
      }
      if record.standing == .waiting, nearness.isAt(circle), hasRoom(key, &turn) {
        record.standing = .delivered
        record.at = turn.date
        turn.tell(.delivered(letter))
        receipt(key, .delivered, &turn)
      }
      if record != before { put(record, &turn) }
    }
  }

  private mutating func read(_ key: LetterKey, _ turn: inout LetterStep) {
    guard var record = shelf[key], record.standing == .delivered else { return }
    // The letter stays for a while: what was read may be answered, or read once more.
    record.standing = .read
    record.isNear = false
    record.at = turn.date ?? record.at
    put(record, &turn)
  }

  /// Nil as long as the letter's box is not known, or is for others.
  private func circle(of record: LetterRecord) -> LetterCircle? {
    switch record.letter?.spot {
    case .circle(let circle): circle
    case .box(let id): boxes[id].flatMap { $0.people.include(me) ? $0.circle : nil }
    case nil: nil
    }
  }

  // MARK: Time, and the shelf

  private mutating func expire(_ turn: inout LetterStep) {
    for record in shelf.waiting {
      guard let letter = record.letter, letter.isOver(at: turn.date) else { continue }
      guard letter.to == .everybody || hasRoom(record.key, &turn) else { continue }
      settle(record.key, .expired, &turn)
      if letter.to != .everybody { receipt(record.key, .expired, &turn) }
    }
  }

  private mutating func settle(
    _ key: LetterKey, _ standing: LetterRecord.Standing, _ turn: inout LetterStep
  ) {
    guard var record = shelf[key] else { return }
    record.standing = standing
    record.reason = nil
    record.missedSince = nil
    record.letter = nil
    record.isNear = false
    record.at = turn.date ?? record.at
    put(record, &turn)
  }

  private mutating func put(_ record: LetterRecord, _ turn: inout LetterStep) {
    shelf.put(record)
    turn.keep(record)
  }

  private mutating func tidy(_ turn: inout LetterStep) {
    let (changed, forgotten) = shelf.tidy()
    for record in changed { turn.keep(record) }
    for key in forgotten { turn.forget(key) }
  }

  /// Says once that there is none.
  private mutating func hasRoom(_ key: LetterKey, _ turn: inout LetterStep) -> Bool {
    guard turn.room <= reserve(for: key) else { return true }
    if !isHeld { turn.tell(.refused(LetterRefusal(key, .receiptsWait))) }
    isHeld = true
    return false
  }

  /// Strangers' receipts leave room for those of contacts.
  private func reserve(for key: LetterKey) -> Int {
    shelf.isStranger(key.from) ? LetterLimits.receiptsForContacts : 0
  }

  private func receipt(
    _ key: LetterKey, _ outcome: LetterReceipt.Outcome, reason: String? = nil,
    _ turn: inout LetterStep
  ) {
    turn.takeRoom()
    guard key.from != me,
      let receipt = try? LetterReceipt(
        letter: key.id, to: key.from, by: me, outcome, at: turn.date, reason: reason)
    else { return }
    turn.tell(.send(receipt))
  }

  /// Letters are over at a date, for which the board has to be awake.
  private mutating func plan(_ now: BootInstant, _ turn: inout LetterStep) {
    // Without room nothing is over: the first receipt that is sent makes some.
    let room = turn.room
    let waiting = room > 0 ? shelf.waiting.filter { room > reserve(for: $0.key) } : []
    let next = waiting.flatMap {
      [$0.letter?.expires, $0.missedSince.map { $0 + Self.patience }].compactMap { $0 }
    }.min()
    var due: BootInstant?
    if let next, let date = turn.date { due = now + (next - date) }
    // The date and the boot clock are never quite even.
    if let due, let told, told > now, (due - told).magnitude < 1 { return }
    guard due != told else { return }
    told = due
    turn.tell(.wake(due))
  }
}
