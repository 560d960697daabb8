import Core
import Records

/// All decisions about letters for one person (Landsmann 2013, chapter 4).
///
/// A letter waits at its place until its addressee comes, it expires, or its sender withdraws it.
/// It is delivered once, even if it arrives again or the board restarts. Its nearness is reported
/// each time the board comes there, until it is read.
struct LetterInbox: Sendable {
  /// How long a location counts as current for a letter that arrives.
  private static let fresh: Seconds = 120
  /// How long a letter may be here before its box: the sender of one also sends the other.
  private static let boxTimeout: Seconds = .hours(1)

  let me: PersonAddress
  var contacts: Contacts {
    get { cache.contacts }
    set { cache.contacts = newValue }
  }
  private var cache: LetterCache
  private var boxes: LetterBoxes
  private var last: (location: Location, at: BootInstant)?
  /// When the next letter expires or misses its box, for which the board has to be awake.
  private(set) var wake: BootInstant?
  /// Whether it was reported that letters wait for room for their receipts.
  private var isHeld = false

  init(for me: PersonAddress, contacts: Contacts = Contacts()) {
    self.me = me
    cache = LetterCache(of: me, contacts)
    boxes = LetterBoxes(of: me)
  }

  // As an earlier run has stored them.
  mutating func restore(_ record: LetterRecord) { cache.restore(record) }
  mutating func restore(_ box: Letterbox) { boxes.restore(box) }

  // MARK: What is known

  /// In the order of arrival.
  var records: [LetterRecord] { cache.all }
  var letterboxes: [Letterbox] { boxes.all }

  /// The places of undelivered letters within Landsmann's box of 20 km around a position; letters
  /// farther away do not count.
  func circles(around position: Coordinate) -> [LetterCircle] {
    let box = TopicArea.box(around: position)
    return Set(cache.waiting.compactMap { circle(of: $0) }).filter { box.contains($0.centre) }
      .sorted { Sphere.distance($0.centre, position) < Sphere.distance($1.centre, position) }
  }

  // MARK: What happens

  /// Steps that need a receipt wait while there is no room for it, so that none is lost. While the
  /// date is not known nothing expires.
  mutating func step(_ event: LetterEvent, _ step: inout MessagingStep) {
    if step.roomForReceipts > MessagingLimits.receiptsForContacts { isHeld = false }
    switch event {
    case .arrived(let letter): arrived(letter, &step)
    case .withdrawn(let withdrawal): withdrawn(withdrawal.key, &step)
    case .box(let box): received(box, &step)
    case .boxRemoved(let id, let owner): removed(id, by: owner, &step)
    case .receipt(let receipt): received(receipt, &step)
    case .located(let location): located(location, &step)
    case .read(let key), .answered(let key): read(key, &step)
    case .contacts(let contacts): changed(contacts, &step)
    case .timePassed: break
    }
    expire(&step)
    missBoxes(&step)
    enforceLimits(&step)
    plan(step)
  }

  // MARK: Arriving

  private mutating func arrived(
    _ letter: Letter, _ step: inout MessagingStep
  ) {
    // The broker returns letters this person has written to everybody.
    if letter.from == me, letter.to == .everybody { return }
    let known = cache[letter.key]
    guard known == nil || known?.status == .refused else { return }
    if let reason = refusal(of: letter) {
      // A letter elsewhere is delivered again when the board comes there.
      if reason == .elsewhere { return step.refuse(letter.key, reason) }
      guard known?.reason != reason else { return }
      return refuse(letter, reason, &step)
    }
    guard makeRoom(for: letter, &step) else { return }
    put(cache.made(letter.key, .waiting, letter: letter), &step)
    if letter.isOver(at: step.date) { return }
    guard let last, step.now - last.at <= Self.fresh, let nearness = LetterNearness(last.location)
    else { return }
    checkPosition(nearness, [letter.key], &step)
  }

  private func refusal(of letter: Letter) -> LetterRefusal? {
    guard letter.to.include(me) else { return .notForMe }
    if let reason = unwelcome(letter.from) { return reason }
    if case .box(let id) = letter.spot, let box = boxes[id],
      !box.delivers(to: me, from: letter.from)
    {
      return .notOfBox
    }
    if letter.to == .everybody, isFar(letter) { return .elsewhere }
    if case .none(let reason) = cache.room(for: letter) { return reason }
    return nil
  }

  /// - Returns: whether there is room now. Dropping another letter requires room for its receipt,
  ///   too.
  private mutating func makeRoom(for letter: Letter, _ step: inout MessagingStep) -> Bool {
    guard case .instead(let other) = cache.room(for: letter) else { return true }
    refuse(other, .noRoom, &step)
    return cache[other.key]?.status != .waiting
  }

  /// Why a person may leave no letters here; nil: the person may.
  private func unwelcome(_ sender: PersonAddress) -> LetterRefusal? {
    switch contacts.status(on: sender, to: me) {
    case .welcome: nil
    case .blocked: .blocked
    case .unknown: .unknownSender
    case .closed: .closed
    }
  }

  /// Whether the letter is in none of the areas subscribed to here; it arrives again once one of
  /// them is. A check by distance alone could refuse a letter in an area that is already subscribed
  /// to, and a broker would not deliver it again on the way there.
  private func isFar(_ letter: Letter) -> Bool {
    guard case .circle(let circle) = letter.spot, let last,
      let around = TopicArea.covering(TopicArea.box(around: last.location.position)),
      let areas = TopicArea.covering(circle.surroundings.box)
    else { return false }
    return Set(around).isDisjoint(with: areas)
  }

  private mutating func refuse(
    _ letter: Letter, _ reason: LetterRefusal, _ step: inout MessagingStep
  ) {
    guard !reason.notifiesSender || hasRoom(letter.key, &step) else { return }
    put(cache.made(letter.key, .refused, reason: reason), &step)
    step.refuse(letter.key, reason)
    if reason.notifiesSender {
      receipt(letter.key, .refused, reason: reason.text(of: letter.from), &step)
    }
  }

  private mutating func withdrawn(_ key: LetterKey, _ step: inout MessagingStep) {
    switch cache[key]?.status {
    case nil: put(cache.made(key, .withdrawn), &step)
    case .waiting: close(key, .withdrawn, &step)
    // What was delivered cannot be withdrawn.
    case .delivered, .read, .withdrawn, .expired: break
    case .refused: close(key, .withdrawn, &step)
    }
  }

  /// A letter delivered by another board of this person counts as delivered here.
  private mutating func received(_ receipt: LetterReceipt, _ step: inout MessagingStep) {
    guard receipt.by == me, receipt.outcome == .delivered else { return }
    let key = LetterKey(receipt.letter, from: receipt.to)
    switch cache[key]?.status {
    case nil: put(cache.made(key, .delivered), &step)
    // The withdrawal that follows a delivery may arrive before the receipt.
    case .waiting, .refused, .withdrawn: close(key, .delivered, &step)
    case .delivered, .read, .expired: break
    }
  }

  // MARK: Boxes and contacts

  private mutating func received(_ box: Letterbox, _ step: inout MessagingStep) {
    guard box.concerns(me) || boxes[box.id] != nil else {
      let error = MessageError("it is for other people: it is not kept", at: "for")
      return step.refuse("letterbox \(box.id)", error)
    }
    if let reason = unwelcome(box.owner) {
      return step.refuse("letterbox \(box.id)", reason.text(of: box.owner))
    }
    do {
      guard try boxes.put(box, contacts) else { return }
    } catch { return step.refuse("letterbox \(box.id)", error) }
    step.keep(box)
  }

  private mutating func removed(
    _ id: UniqueID, by owner: PersonAddress, _ step: inout MessagingStep
  ) {
    guard boxes[id]?.owner == owner else { return }
    boxes.remove(id)
    step.forget(.letterbox(id))
    for record in waiting(in: id) { miss(record, .boxGone, &step) }
  }

  /// A letter whose box is unknown keeps waiting; its writer receives one receipt about it.
  private mutating func missBoxes(_ step: inout MessagingStep) {
    for var record in cache.waiting {
      guard let letter = record.letter, case .box(let id) = letter.spot else { continue }
      if let box = boxes[id] {
        guard box.delivers(to: me, from: letter.from) else {
          refuse(letter, .notOfBox, &step)
          continue
        }
        guard record.reason != nil || record.missedSince != nil else { continue }
        record.reason = nil
        record.missedSince = nil
        put(record, &step)
      } else if record.reason == nil, let date = step.date {
        // After the clock was set back, the waiting time starts again.
        guard let since = record.missedSince, since <= date else {
          record.missedSince = date
          put(record, &step)
          continue
        }
        if date - since >= Self.boxTimeout { miss(record, .noBox, &step) }
      }
    }
  }

  private mutating func miss(
    _ record: LetterRecord, _ reason: LetterRefusal, _ step: inout MessagingStep
  ) {
    guard record.reason == nil, hasRoom(record.key, &step) else { return }
    var record = record
    record.reason = reason
    record.missedSince = nil
    put(record, &step)
    step.refuse(record.key, reason)
    receipt(record.key, .refused, reason: reason.text(of: record.key.from), &step)
  }

  private func waiting(in box: UniqueID) -> [LetterRecord] {
    cache.waiting.filter { $0.letter?.spot == .box(box) }
  }

  /// Drops letters of people who are no longer welcome; delivered letters stay.
  private mutating func changed(_ contacts: Contacts, _ step: inout MessagingStep) {
    cache.contacts = contacts
    for record in cache.waiting {
      guard let letter = record.letter, let reason = unwelcome(letter.from) else { continue }
      refuse(letter, reason, &step)
    }
    // Letters that others have left in such a box wait, as with any unknown box.
    for box in boxes.all where contacts.status(on: box.owner, to: me) != .welcome {
      boxes.remove(box.id)
      step.forget(.letterbox(box.id))
    }
  }

  // MARK: Location

  private mutating func located(
    _ location: Location, _ step: inout MessagingStep
  ) {
    guard let nearness = LetterNearness(location) else { return }
    last = (location, step.now)
    // Expiry comes before delivery: a letter found too late is not delivered.
    expire(&step)
    for record in cache.waiting {
      guard let letter = record.letter, letter.to == .everybody, isFar(letter) else { continue }
      cache.remove(record.key)
      step.forget(.letter(record.key))
    }
    checkPosition(nearness, cache.unread.map(\.key), &step)
  }

  private mutating func checkPosition(
    _ nearness: LetterNearness, _ keys: [LetterKey], _ step: inout MessagingStep
  ) {
    var near = NearLetters()
    var reached: [Letter] = []
    for key in keys {
      guard var record = cache[key], let letter = record.letter,
        let circle = circle(of: record)
      else { continue }
      let before = record
      if !record.isNear, nearness.isNear(circle) {
        record.isNear = true
        near.add(letter, boxes, circle)
      } else if record.isNear, nearness.hasLeft(circle) {
        record.isNear = false
      }
      if record.status == .waiting, nearness.isAt(circle), hasRoom(key, &step) {
        record.status = .delivered
        record.at = step.date
        reached.append(letter)
        receipt(key, .delivered, &step)
      }
      if record != before { put(record, &step) }
    }
    near.report(&step)
    for letter in reached { step.report(.delivered(letter)) }
  }

  private mutating func read(_ key: LetterKey, _ step: inout MessagingStep) {
    guard var record = cache[key], record.status == .delivered else { return }
    // The letter stays for a while, so that it can be answered or read again.
    record.status = .read
    record.isNear = false
    record.at = step.date ?? record.at
    put(record, &step)
  }

  /// Nil as long as the letter's box is not known, or is for others.
  private func circle(of record: LetterRecord) -> LetterCircle? {
    switch record.letter?.spot {
    case .circle(let circle): circle
    case .box(let id): boxes[id].flatMap { $0.people.include(me) ? $0.circle : nil }
    case nil: nil
    }
  }

  // MARK: Time, and the cache

  private mutating func expire(_ step: inout MessagingStep) {
    for record in cache.waiting {
      guard let letter = record.letter, letter.isOver(at: step.date) else { continue }
      guard letter.to == .everybody || hasRoom(record.key, &step) else { continue }
      close(record.key, .expired, &step)
      if letter.to != .everybody { receipt(record.key, .expired, &step) }
    }
  }

  private mutating func close(
    _ key: LetterKey, _ standing: LetterRecord.Status, _ step: inout MessagingStep
  ) {
    guard var record = cache[key] else { return }
    record.status = standing
    record.reason = nil
    record.missedSince = nil
    record.letter = nil
    record.isNear = false
    record.at = step.date ?? record.at
    put(record, &step)
  }

  private mutating func put(_ record: LetterRecord, _ step: inout MessagingStep) {
    cache.put(record)
    step.keep(record)
  }

  private mutating func enforceLimits(_ step: inout MessagingStep) {
    let (changed, forgotten) = cache.enforceLimits()
    for record in changed { step.keep(record) }
    for key in forgotten { step.forget(.letter(key)) }
  }

  /// Reports once when there is no room.
  private mutating func hasRoom(_ key: LetterKey, _ step: inout MessagingStep) -> Bool {
    guard step.roomForReceipts <= reserve(for: key) else { return true }
    if !isHeld { step.refuse(key, .receiptsWait) }
    isHeld = true
    return false
  }

  /// Receipts of unknown people leave room for those of contacts.
  private func reserve(for key: LetterKey) -> Int {
    cache.isUnknown(key.from) ? MessagingLimits.receiptsForContacts : 0
  }

  private func receipt(
    _ key: LetterKey, _ outcome: LetterReceipt.Outcome, reason: String? = nil,
    _ step: inout MessagingStep
  ) {
    guard key.from != me,
      let receipt = try? LetterReceipt(
        letter: key.id, to: key.from, by: me, outcome, at: step.date, reason: reason)
    else { return }
    step.publish(receipt)
  }

  private mutating func plan(_ step: MessagingStep) {
    // Without room for receipts nothing expires: the first receipt that is sent makes room.
    let room = step.roomForReceipts
    let waiting = room > 0 ? cache.waiting.filter { room > reserve(for: $0.key) } : []
    wake = step.instant(
      of: waiting.flatMap {
        [$0.letter?.expires, $0.missedSince.map { $0 + Self.boxTimeout }].compactMap { $0 }
      }.min())
  }
}

extension MessagingStep {
  fileprivate mutating func keep(_ record: LetterRecord) {
    keep(.letter(record.key), record.bytes)
  }

  fileprivate mutating func keep(_ box: Letterbox) {
    keep(.letterbox(box.id), PeerMessage.box(box).bytes)
  }

  fileprivate mutating func refuse(_ letter: LetterKey, _ reason: LetterRefusal) {
    refuse("letter \(letter.id) from \(letter.from)", reason.text(of: letter.from))
  }
}
