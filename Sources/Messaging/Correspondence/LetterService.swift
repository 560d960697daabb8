import Core
import Places
import Records

/// All letters of one person: those addressed to this person, and those this person has written.
struct LetterService: Sendable {
  let me: PersonAddress
  private var inbox: LetterInbox
  private var outbox: LetterOutbox
  private var alertWake: BootInstant?
  private var outboxWake: BootInstant?

  init(of me: PersonAddress, restoring stored: StoredPeople) {
    self.me = me
    inbox = LetterInbox(
      for: me, contacts: stored.contacts, restoring: stored.letters, boxes: stored.letterboxes)
    outbox = LetterOutbox(of: me, restoring: stored.outgoing)
  }

  // MARK: What is known

  var records: [LetterRecord] { inbox.records }
  var letterboxes: [Letterbox] { inbox.letterboxes }
  var outgoing: [OutgoingLetter] { outbox.all }
  var wake: BootInstant? { .earlier(alertWake, outboxWake) }
  var pendingCount: Int { outbox.pendingCount }
  var pending: [Publication] {
    outbox.pending.map { Publication(topic: $0.topic, payload: $0.payload) }
  }

  /// The areas whose entry would be an event.
  func targets(around position: Coordinate) -> [PlaceReach.Candidate] {
    inbox.circles(around: position).map { circle in
      PlaceReach.Candidate(
        PlaceRegion(.circle(radius: circle.surroundings.radius), around: circle.centre))
    }
  }

  // MARK: The owner's actions

  mutating func wrote(_ letter: Letter, _ step: inout PeopleStep) {
    send(.written(letter), &step)
    guard !step.hasRefused(letter.id) else { return }
    // The id alone could also match another sender's letter.
    for record in inbox.records
    where record.key.id == letter.answers && letter.to.include(record.key.from) {
      handle(.answered(record.key), &step)
    }
    // A note to oneself needs no broker.
    if case .people(let people) = letter.to, people.contains(me) {
      handle(.arrived(letter), &step)
    }
  }

  mutating func withdrew(_ id: UniqueID, _ step: inout PeopleStep) {
    send(.withdrawn(id), &step)
    // A note to oneself is also in the own inbox.
    let key = LetterKey(id, from: me)
    if inbox.records.contains(where: { $0.key == key && $0.status == .waiting }) {
      handle(.withdrawn(LetterWithdrawal(key)), &step)
    }
  }

  mutating func set(_ box: Letterbox, _ step: inout PeopleStep) {
    guard box.owner == me else {
      return step.refuse("letterbox \(box.id)", "it is \(box.owner)'s: make one as \(me)", "owner")
    }
    let before = letterboxes.first { $0.id == box.id }
    handle(.box(box), &step)
    guard !step.hasRefused(box.id) else { return }
    publish(box, &step)
    let topics = LetterTopics.topics(of: box)
    for topic in before.map(LetterTopics.topics) ?? [] where !topics.contains(topic) {
      step.publish(Publication(topic: topic))
    }
  }

  mutating func removeBox(_ id: UniqueID, _ step: inout PeopleStep) {
    guard let box = letterboxes.first(where: { $0.id == id && $0.owner == me }) else {
      return step.refuse("letterbox \(id)", "there is none of that id that is \(me)'s", "id")
    }
    handle(.boxRemoved(id, by: me), &step)
    for topic in LetterTopics.topics(of: box) { step.publish(Publication(topic: topic)) }
  }

  // MARK: From others

  mutating func arrived(
    _ arrival: LetterTopics.Arrival, under topic: String, _ step: inout PeopleStep
  ) {
    switch arrival {
    case .letter(let letter):
      if letter.from == me { send(.recovered(letter, topic: topic), &step) }
      if isForMe(topic, of: letter.from) { handle(.arrived(letter), &step) }
    case .withdrawn(let withdrawal):
      if withdrawal.key.from == me { send(.cleared(withdrawal.key.id, topic: topic), &step) }
      if isForMe(topic, of: withdrawal.key.from) { handle(.withdrawn(withdrawal), &step) }
    case .box(let box): handle(.box(box), &step)
    case .boxRemoved(let id, let owner):
      // The owner's own board has either removed it already or must not remove it.
      if owner != me { handle(.boxRemoved(id, by: owner), &step) }
    case .receipt(let receipt): received(receipt, &step)
    case .nothing: break
    }
  }

  /// The broker returns one's own letters too, whoever the addressee is.
  private func isForMe(_ topic: String, of sender: PersonAddress) -> Bool {
    sender != me || LetterTopics.addressee(of: topic) == me
  }

  mutating func imported(_ message: LetterMessage, _ step: inout PeopleStep) {
    switch message {
    case .letter(let letter): handle(.arrived(letter), &step)
    case .box(let box): handle(.box(box), &step)
    case .receipt(let receipt): received(receipt, &step)
    case .withdrawal(let withdrawal): handle(.withdrawn(withdrawal), &step)
    }
  }

  private mutating func received(_ receipt: LetterReceipt, _ step: inout PeopleStep) {
    if receipt.by == me { handle(.receipt(receipt), &step) }
    if receipt.to == me { send(.receipt(receipt), &step) }
  }

  mutating func acknowledged(_ topic: String, _ payload: [UInt8], _ step: inout PeopleStep) {
    guard !step.acknowledged(topic, payload) else {
      // There is now room for the receipt of another letter.
      if LetterTopics.isReceipt(topic) { handle(.timePassed, &step) }
      return
    }
    if let retained = outbox.pending(under: topic, payload) { send(.acknowledged(retained), &step) }
  }

  mutating func republish(_ step: inout PeopleStep) {
    send(.forgotten, &step)
    for box in letterboxes where box.owner == me { publish(box, &step) }
  }

  private func publish(_ box: Letterbox, _ step: inout PeopleStep) {
    for topic in LetterTopics.topics(of: box) {
      step.publish(Publication(topic: topic, payload: LetterMessage.box(box).bytes))
    }
  }

  /// Without a broker, nothing was published that would have to be cleared, except through a file.
  mutating func clearWithoutBroker(_ step: inout PeopleStep) {
    let told = outbox.withdrawnLetters(at: step.date)
    for retained in outbox.toClear where !told.contains(retained.letter) {
      send(.acknowledged(retained), &step)
    }
  }

  mutating func timePassed(_ step: inout PeopleStep) {
    handle(.timePassed, &step)
    send(.timePassed, &step)
  }

  /// Updates the outbox's next due time at the end of every step.
  mutating func plan(_ step: PeopleStep) {
    outboxWake = step.date.flatMap { date in outbox.nextEnd.map { step.now + ($0 - date) } }
  }

  // MARK: The inbox and the outbox

  mutating func handle(_ event: LetterEvent, _ step: inout PeopleStep) {
    let effects = inbox.step(
      event, at: step.now, date: step.date, room: step.roomForReceipts)
    for effect in effects {
      switch effect {
      case .store(let record):
        step.keep(StoredMessage(.letter(record.key), utf8: record.bytes))
      case .forget(let key): step.forget(.letter(key))
      case .storeBox(let box):
        step.keep(
          StoredMessage(.init(.letterbox, "\(box.id)"), utf8: LetterMessage.box(box).bytes))
      case .removeBox(let id): step.forget(.init(.letterbox, "\(id)"))
      case .notice(let notice):
        let meant = inbox.records.filter { notice.letters.contains($0.key) }
        step.report(.near(meant.compactMap(\.letter), at: notice.place))
      case .delivered(let letter):
        step.report(.delivered(letter))
        if letter.from == me { found(letter, &step) }
      case .refused(let refusal):
        step.refuse(
          "letter \(refusal.letter.id) of \(refusal.letter.from)", refusal.text)
      case .boxRefused(let id, let error): step.refuse("letterbox \(id)", error)
      case .send(let receipt): step.publish(receipt)
      case .wake(let wake): alertWake = wake
      }
    }
  }

  /// A note to oneself that was delivered no longer needs to be published for other boards.
  private mutating func found(_ letter: Letter, _ step: inout PeopleStep) {
    guard
      let receipt = try? LetterReceipt(
        letter: letter.id, to: me, by: me, .delivered, at: step.date)
    else { return }
    step.publish(receipt)
    send(.receipt(receipt), &step)
  }

  private mutating func send(_ event: LetterOutboxEvent, _ step: inout PeopleStep) {
    for effect in outbox.step(event, date: step.date) {
      switch effect {
      case .store(let letter):
        step.keep(
          StoredMessage(.init(.outgoingLetter, "\(letter.letter.id)"), utf8: letter.bytes))
      case .forget(let id): step.forget(.init(.outgoingLetter, "\(id)"))
      case .refused(let id, let error): step.refuse("letter \(id)", error)
      // The owner already knows of a delivered note to oneself.
      case .outcome(let receipt): if receipt.by != me { step.report(.receipt(receipt)) }
      case .send: step.markPending()
      }
    }
  }
}
