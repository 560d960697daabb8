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

  let me: PersonAddress
  var contacts: Contacts {
    get { letters.contacts }
    set { letters.contacts = newValue }
  }
  private var letters: LetterRecords
  private var boxes: LetterBoxes
  private var last: (location: Location, at: BootInstant)?
  /// When the next letter expires or misses its box, for which the board has to be awake.
  private(set) var wake: BootInstant?

  init(for me: PersonAddress, contacts: Contacts = Contacts()) {
    self.me = me
    letters = LetterRecords(of: me, contacts)
    boxes = LetterBoxes(of: me)
  }

  // As an earlier run has stored them.
  mutating func restore(_ record: LetterRecord) { letters.restore(record) }
  mutating func restore(_ box: Letterbox) { boxes.restore(box) }

  // MARK: What is known

  /// In the order of arrival.
  var records: [LetterRecord] { letters.all }
  var letterboxes: [Letterbox] { boxes.all }

  /// The places of undelivered letters within Landsmann's box of 20 km around a position; letters
  /// farther away do not count.
  func circles(around position: Coordinate) -> [LetterCircle] {
    let box = TopicArea.box(around: position)
    return Set(letters.waiting.compactMap { circle(of: $0) }).filter { box.contains($0.centre) }
      .sorted { Sphere.distance($0.centre, position) < Sphere.distance($1.centre, position) }
  }

  // MARK: What happens

  /// While the date is not known nothing expires.
  mutating func step(_ event: LetterEvent, _ step: inout MessagingStep) {
    letters.noteRoom(in: step)
    switch event {
    case .arrived(let letter): arrived(letter, &step)
    case .withdrawn(let withdrawal): letters.withdraw(withdrawal.key, &step)
    case .box(let box): received(box, &step)
    case .boxRemoved(let id, let owner): removed(id, by: owner, &step)
    case .receipt(let receipt): letters.receive(receipt, &step)
    case .located(let location): located(location, &step)
    case .read(let key), .answered(let key): letters.markRead(key, &step)
    case .contacts(let contacts): changed(contacts, &step)
    case .timePassed: break
    }
    letters.expire(&step)
    checkBoxes(&step)
    letters.enforceLimits(&step)
    wake = letters.due(in: step)
  }

  // MARK: Arriving

  private mutating func arrived(_ letter: Letter, _ step: inout MessagingStep) {
    // The broker returns letters this person has written to everybody.
    if letter.from == me, letter.to == .everybody { return }
    let known = letters[letter.key]
    guard known == nil || known?.status == .refused else { return }
    if let reason = refusal(of: letter) {
      // A letter elsewhere is delivered again when the board comes there.
      if reason == .elsewhere { return step.refuse(letter.key, reason) }
      guard known?.reason != reason else { return }
      return letters.refuse(letter, reason, &step)
    }
    guard letters.add(letter, &step) else { return }
    if letter.isOver(at: step.date) { return }
    guard let last, step.now - last.at <= Self.fresh, let nearness = LetterNearness(last.location)
    else { return }
    checkPosition(nearness, [letter.key], &step)
  }

  private func refusal(of letter: Letter) -> LetterRefusal? {
    guard letter.to.include(me) else { return .notForMe }
    if let reason = unwelcome(letter.from) { return reason }
    if case .box(let id) = letter.spot, boxes[id]?.delivers(to: me, from: letter.from) == false {
      return .notOfBox
    }
    if letter.to == .everybody, isFar(letter) { return .elsewhere }
    if case .none(let reason) = letters.room(for: letter) { return reason }
    return nil
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
    step.keep(.letterbox(box.id), PeerMessage.box(box).bytes)
  }

  private mutating func removed(
    _ id: UniqueID, by owner: PersonAddress, _ step: inout MessagingStep
  ) {
    guard boxes[id]?.owner == owner else { return }
    boxes.remove(id)
    step.forget(.letterbox(id))
    for record in letters.waiting where record.letter?.spot == .box(id) {
      letters.miss(record, .boxGone, &step)
    }
  }

  private mutating func checkBoxes(_ step: inout MessagingStep) {
    for record in letters.waiting {
      guard let letter = record.letter, case .box(let id) = letter.spot else { continue }
      if boxes[id]?.delivers(to: me, from: letter.from) == false {
        letters.refuse(letter, .notOfBox, &step)
      } else {
        letters.noteBox(of: record, isKnown: boxes[id] != nil, &step)
      }
    }
  }

  /// Drops letters of people who are no longer welcome; delivered letters stay.
  private mutating func changed(_ contacts: Contacts, _ step: inout MessagingStep) {
    letters.contacts = contacts
    for record in letters.waiting {
      guard let letter = record.letter, let reason = unwelcome(letter.from) else { continue }
      letters.refuse(letter, reason, &step)
    }
    // Letters that others have left in such a box wait, as with any unknown box.
    for box in boxes.all where contacts.status(on: box.owner, to: me) != .welcome {
      boxes.remove(box.id)
      step.forget(.letterbox(box.id))
    }
  }

  // MARK: Location

  private mutating func located(_ location: Location, _ step: inout MessagingStep) {
    guard let nearness = LetterNearness(location) else { return }
    last = (location, step.now)
    // Expiry comes before delivery: a letter found too late is not delivered.
    letters.expire(&step)
    for record in letters.waiting {
      guard let letter = record.letter, letter.to == .everybody, isFar(letter) else { continue }
      letters.forget(record.key, &step)
    }
    checkPosition(nearness, letters.unread.map(\.key), &step)
  }

  private mutating func checkPosition(
    _ nearness: LetterNearness, _ keys: [LetterKey], _ step: inout MessagingStep
  ) {
    var near = NearLetters()
    var reached: [Letter] = []
    for key in keys {
      guard let record = letters[key], let letter = record.letter, let circle = circle(of: record)
      else { continue }
      var isNear = record.isNear
      if !isNear, nearness.isNear(circle) {
        isNear = true
        near.add(letter, boxes, circle)
      } else if isNear, nearness.hasLeft(circle) {
        isNear = false
      }
      let isReached = record.status == .waiting && nearness.isAt(circle)
      if letters.update(key, isNear: isNear, isReached: isReached, &step) { reached.append(letter) }
    }
    near.report(&step)
    for letter in reached { step.report(.delivered(letter)) }
  }

  /// Nil as long as the letter's box is not known, or is for others.
  private func circle(of record: LetterRecord) -> LetterCircle? {
    switch record.letter?.spot {
    case .circle(let circle): circle
    case .box(let id): boxes[id].flatMap { $0.people.include(me) ? $0.circle : nil }
    case nil: nil
    }
  }
}
