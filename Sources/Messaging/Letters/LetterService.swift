import Core
import Places
import Records

/// All letters of one person: those addressed to this person, and those this person has written.
struct LetterService: MessageKind {
  let me: PersonAddress
  private var inbox: LetterInbox
  private var outbox: LetterOutbox
  private var outboxWake: BootInstant?

  init(of me: PersonAddress) {
    self.me = me
    inbox = LetterInbox(for: me)
    outbox = LetterOutbox(of: me)
  }

  mutating func restore(_ item: StoredMessage) throws(MessageError) {
    let bytes = Array(item.text.utf8)
    switch item.key.kind {
    case .letter: inbox.restore(try LetterRecord(bytes))
    case .letterbox:
      guard case .box(let box) = try PeerMessage(bytes) else {
        throw MessageError("it is not a letterbox")
      }
      inbox.restore(box)
    default: outbox.restore(try OutgoingLetter(bytes))
    }
  }

  // MARK: What is known

  var contacts: Contacts {
    get { inbox.contacts }
    set { inbox.contacts = newValue }
  }
  var records: [LetterRecord] { inbox.records }
  var letterboxes: [Letterbox] { inbox.letterboxes }
  var outgoing: [OutgoingLetter] { outbox.all }
  var wake: BootInstant? { .earlier(inbox.wake, outboxWake) }
  var pendingCount: Int { outbox.pendingCount }
  var pending: [Publication] { outbox.pending }

  /// The areas whose entry would be an event.
  func targets(around position: Coordinate) -> [PlaceReach.Candidate] {
    inbox.circles(around: position).map { circle in
      PlaceReach.Candidate(
        PlaceRegion(.circle(radius: circle.surroundings.radius), around: circle.centre))
    }
  }

  // MARK: The owner's actions

  mutating func wrote(_ letter: Letter, _ step: inout MessagingStep) {
    outbox.step(.written(letter), &step)
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

  mutating func withdrew(_ id: UniqueID, _ step: inout MessagingStep) {
    outbox.step(.withdrawn(id), &step)
    // A note to oneself is also in the own inbox.
    let key = LetterKey(id, from: me)
    if inbox.records.contains(where: { $0.key == key && $0.status == .waiting }) {
      handle(.withdrawn(LetterWithdrawal(key)), &step)
    }
  }

  mutating func read(_ key: LetterKey, _ step: inout MessagingStep) { handle(.read(key), &step) }

  mutating func set(_ box: Letterbox, _ step: inout MessagingStep) {
    guard box.owner == me else {
      return step.refuse("letterbox \(box.id)", "its owner is \(box.owner): use \(me)", "owner")
    }
    let before = letterboxes.first { $0.id == box.id }
    handle(.box(box), &step)
    guard !step.hasRefused(box.id) else { return }
    publish(box, &step)
    let topics = MessageTopic.topics(of: box)
    step.clear((before.map(MessageTopic.topics) ?? []).filter { !topics.contains($0) })
  }

  mutating func removeBox(_ id: UniqueID, _ step: inout MessagingStep) {
    guard let box = letterboxes.first(where: { $0.id == id && $0.owner == me }) else {
      return step.refuse("letterbox \(id)", "\(me) has no letterbox with this id", "id")
    }
    handle(.boxRemoved(id, by: me), &step)
    step.clear(MessageTopic.topics(of: box))
  }

  // MARK: From others

  mutating func received(
    _ message: PeerMessage, under topic: MessageTopic?, _ step: inout MessagingStep
  ) {
    switch message {
    case .letter(let letter):
      if let topic, letter.from == me {
        outbox.step(.recovered(letter, topic: topic.description), &step)
      }
      if isForMe(topic, of: letter.from) { handle(.arrived(letter), &step) }
    case .box(let box): handle(.box(box), &step)
    case .receipt(let receipt):
      if receipt.by == me { handle(.receipt(receipt), &step) }
      if receipt.to == me { outbox.step(.receipt(receipt), &step) }
    case .withdrawal(let withdrawal): handle(.withdrawn(withdrawal), &step)
    case .group, .position, .meeting, .attendance: break
    }
  }

  mutating func cleared(_ topic: MessageTopic, _ step: inout MessagingStep) {
    switch topic.root {
    case .letters, .areaLetters:
      if topic.sender == me {
        outbox.step(.cleared(topic.id, topic: topic.description), &step)
      }
      if isForMe(topic, of: topic.sender) {
        handle(.withdrawn(LetterWithdrawal(LetterKey(topic.id, from: topic.sender))), &step)
      }
    case .boxes:
      // The owner's own board has either removed it already or must not remove it.
      if topic.sender != me { handle(.boxRemoved(topic.id, by: topic.sender), &step) }
    default: break
    }
  }

  /// The broker returns one's own letters too, whoever the addressee is.
  private func isForMe(_ topic: MessageTopic?, of sender: PersonAddress) -> Bool {
    guard let topic, sender == me else { return true }
    return topic.addressee == me
  }

  mutating func acknowledged(_ topic: String, _ payload: [UInt8], _ step: inout MessagingStep) {
    outbox.step(.acknowledged(topic: topic, payload: payload), &step)
  }

  /// There is now room for the receipt of another letter.
  mutating func sentReceipt(_ step: inout MessagingStep) { handle(.timePassed, &step) }

  mutating func republish(_ step: inout MessagingStep) {
    outbox.step(.forgotten, &step)
    for box in letterboxes where box.owner == me { publish(box, &step) }
  }

  private func publish(_ box: Letterbox, _ step: inout MessagingStep) {
    step.publish(.box(box), under: MessageTopic.topics(of: box))
  }

  // MARK: What the board notices

  mutating func changed(_ contacts: Contacts, _ step: inout MessagingStep) {
    handle(.contacts(contacts), &step)
  }

  mutating func located(_ location: Location, _ step: inout MessagingStep) {
    handle(.located(location), &step)
  }

  mutating func timePassed(_ step: inout MessagingStep) {
    handle(.timePassed, &step)
    outbox.step(.timePassed, &step)
  }

  /// The end of every step.
  mutating func finish(hasBroker: Bool, _ step: inout MessagingStep) {
    if !hasBroker, outbox.hasToClear { outbox.step(.hasNoBroker, &step) }
    outboxWake = step.instant(of: outbox.nextEnd)
  }

  private mutating func handle(_ event: LetterEvent, _ step: inout MessagingStep) {
    let before = step.result.notifications.count
    inbox.step(event, &step)
    for case .delivered(let letter) in step.result.notifications.dropFirst(before)
    where letter.from == me {
      found(letter, &step)
    }
  }

  /// A note to oneself that was delivered no longer needs to be published for other boards.
  private mutating func found(_ letter: Letter, _ step: inout MessagingStep) {
    guard
      let receipt = try? LetterReceipt(
        letter: letter.id, to: me, by: me, .delivered, at: step.date)
    else { return }
    step.publish(receipt)
    outbox.step(.receipt(receipt), &step)
  }
}

extension StoredMessage.Key {
  static func letter(_ key: LetterKey) -> Self { .init(.letter, "\(key.from)/\(key.id)") }
  static func letterbox(_ id: UniqueID) -> Self { .init(.letterbox, "\(id)") }
}

extension OutgoingLetter {
  /// For a file: the letter, or its withdrawal.
  var message: PeerMessage {
    isCleared ? .withdrawal(LetterWithdrawal(letter.key)) : .letter(letter)
  }
}
