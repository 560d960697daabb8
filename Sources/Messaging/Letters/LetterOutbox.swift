import Core
import Records

/// Events of letters that were written here.
enum LetterOutboxEvent: Hashable, Sendable {
  case written(Letter)
  /// Withdrawn everywhere.
  case withdrawn(UniqueID)
  /// A broker has acknowledged a pending message.
  case acknowledged(topic: String, payload: [UInt8])
  case receipt(LetterReceipt)
  /// A letter of this person is retained under a topic; a new board does not know it yet.
  case recovered(Letter, topic: String)
  /// Nothing is retained there any more.
  case cleared(UniqueID, topic: String)
  /// The broker may have lost what was retained.
  case forgotten
  /// There is no broker: nothing was published that would have to be cleared, except in a file.
  case hasNoBroker
  case timePassed
}

/// Outgoing letters: which still have to be sent, which are published, and which have to be cleared
/// because they were delivered, have expired, or were withdrawn.
struct LetterOutbox: Sendable {
  let me: PersonAddress
  private var letters: [UniqueID: OutgoingLetter] = [:]

  init(of me: PersonAddress) { self.me = me }

  /// As an earlier run has stored it.
  mutating func restore(_ outgoing: OutgoingLetter) { letters[outgoing.letter.id] = outgoing }

  // MARK: What is known

  var all: [OutgoingLetter] {
    letters.values.sorted { $0.letter.id < $1.letter.id }
  }

  /// Messages without an acknowledgement; after a restart or a lost connection all of them are sent
  /// again. A repeated message changes nothing for its receivers.
  var pending: [Publication] {
    all.flatMap { outgoing in
      let pending = outgoing.stages.filter(\.value.isPending).sorted { $0.key < $1.key }
      // The payload is the same under every topic.
      let payload = pending.contains { $0.value == .toPublish } ? outgoing.payload : []
      return pending.map { topic, stage in
        Publication(topic: topic, payload: stage == .toPublish ? payload : [])
      }
    }
  }

  var pendingCount: Int {
    letters.values.reduce(0) { count, outgoing in
      count + outgoing.stages.values.count(where: \.isPending)
    }
  }

  /// Whether a topic has still to be cleared.
  var hasToClear: Bool { letters.values.contains { $0.stages.values.contains(.toClear) } }

  /// When the next published letter expires and has to be cleared; nil: none does.
  var nextEnd: UTCInstant? {
    letters.values.compactMap { outgoing in
      let isPublished = outgoing.stages.values.contains { $0 == .toPublish || $0 == .published }
      return isPublished ? outgoing.letter.expires : nil
    }.min()
  }

  /// Letters withdrawn before all addressees had them: a recipient reached by a file has to learn
  /// that from the next file. The number is limited so that there is room for other letters.
  func withdrawnLetters(at date: UTCInstant?) -> Set<UniqueID> {
    let back = all.filter { outgoing in
      !outgoing.letter.isOver(at: date)
        && outgoing.stages.contains { topic, stage in
          stage == .toClear && !outgoing.isSettled(for: MessageTopic.addressee(of: topic))
        }
    }
    return Set(back.prefix(MessagingLimits.outgoing / 4).map(\.letter.id))
  }

  // MARK: What happens

  /// While the date is not known nothing expires.
  mutating func step(_ event: LetterOutboxEvent, _ step: inout MessagingStep) {
    let before = letters
    let date = step.date
    switch event {
    case .written(let letter):
      do { try add(letter, date) } catch { step.refuse("letter \(letter.id)", error) }
    case .withdrawn(let id):
      do { try withdraw(id) } catch { step.refuse("letter \(id)", error) }
    case .acknowledged(let topic, let payload): acknowledged(topic, payload)
    case .receipt(let receipt):
      // The owner already knows of a delivered note to oneself.
      if received(receipt), receipt.by != me { step.report(.receipt(receipt)) }
    case .recovered(let letter, let topic):
      do { try recover(letter, topic) } catch { step.refuse("letter \(letter.id)", error) }
    case .cleared(let id, let topic):
      if letters[id]?.stages[topic] != nil { letters[id]?.stages[topic] = .cleared }
    case .forgotten: republish()
    case .hasNoBroker: clearUnpublished(date)
    case .timePassed: break
    }
    expire(date)
    keep(changesSince: before, &step)
  }

  private mutating func add(_ letter: Letter, _ date: UTCInstant?) throws(MessageError) {
    guard letter.from == me else {
      throw MessageError("its sender is \(letter.from): use \(me)", at: "from")
    }
    guard letters[letter.id] == nil else {
      throw MessageError("a letter with this id exists already: use a new id", at: "id")
    }
    guard !letter.isOver(at: date) else {
      throw MessageError("it is over already: use a later time", at: "expires")
    }
    try checkRoom()
    let outgoing = OutgoingLetter(letter)
    guard !outgoing.stages.isEmpty else {
      throw MessageError("its circle touches too many areas: use a smaller radius", at: "radius_m")
    }
    letters[letter.id] = outgoing
  }

  private func checkRoom() throws(MessageError) {
    guard letters.values.count(where: { !$0.isOver }) < MessagingLimits.outgoing else {
      throw MessageError(
        "the maximum of \(MessagingLimits.outgoing) waiting letters is reached: withdraw some")
    }
  }

  /// After the loss of a board, its owner's letters are still retained at the broker and can be
  /// withdrawn from there. For addressees who already have the letter, nothing is retained any
  /// more.
  private mutating func recover(_ letter: Letter, _ topic: String) throws(MessageError) {
    guard letter.from == me else { return }
    if letters[letter.id] == nil {
      try checkRoom()
      letters[letter.id] = OutgoingLetter(letter, .cleared)
    }
    guard let outgoing = letters[letter.id], outgoing.letter == letter else { return }
    switch outgoing.stages[topic] {
    case .toPublish: letters[letter.id]?.stages[topic] = .published
    case .cleared:
      // This person's other board still publishes it there, without having received the receipt.
      let isDone =
        outgoing.isWithdrawn || outgoing.isSettled(for: MessageTopic.addressee(of: topic))
      letters[letter.id]?.stages[topic] = isDone ? .toClear : .published
    case .published, .toClear, nil: break
    }
  }

  private mutating func withdraw(_ id: UniqueID) throws(MessageError) {
    guard let outgoing = letters[id], !outgoing.isOver else {
      throw MessageError(
        "\(me) has no pending letter with this id: it was delivered, is over, or is from another "
          + "person",
        at: "id")
    }
    letters[id]?.isWithdrawn = true
    for topic in outgoing.stages.keys { clear(topic, of: id) }
  }

  /// Whether a message on its way has arrived is unknown, so only a cleared topic is skipped.
  private mutating func clear(_ topic: String, of id: UniqueID) {
    guard letters[id]?.stages[topic] != .cleared else { return }
    letters[id]?.stages[topic] = .toClear
  }

  /// An acknowledgement is late where the stage has changed since the message was sent.
  private mutating func acknowledged(_ topic: String, _ payload: [UInt8]) {
    let sent: OutgoingLetter.Stage = payload.isEmpty ? .toClear : .toPublish
    let match = letters.first { _, outgoing in
      outgoing.stages[topic] == sent && (payload.isEmpty || outgoing.payload == payload)
    }
    guard let id = match?.key else { return }
    letters[id]?.stages[topic] = payload.isEmpty ? .cleared : .published
  }

  private mutating func clearUnpublished(_ date: UTCInstant?) {
    let withdrawn = withdrawnLetters(at: date)
    for (id, outgoing) in letters where !withdrawn.contains(id) {
      for (topic, stage) in outgoing.stages where stage == .toClear {
        letters[id]?.stages[topic] = .cleared
      }
    }
  }

  /// - Returns: whether the outcome is new.
  private mutating func received(_ receipt: LetterReceipt) -> Bool {
    guard receipt.to == me, let outgoing = letters[receipt.letter],
      outgoing.letter.to.include(receipt.by)
    else { return false }
    let known = outgoing.outcomes[receipt.by]
    // A delivery is final, whatever arrives late.
    guard known != receipt.outcome || outgoing.reasons[receipt.by] != receipt.reason,
      known != .delivered
    else { return false }
    guard known != nil || outgoing.outcomes.count < MessagingLimits.addressees else { return false }
    letters[receipt.letter]?.outcomes[receipt.by] = receipt.outcome
    letters[receipt.letter]?.reasons[receipt.by] = receipt.reason
    // A refused letter stays published: there may be room for it later.
    guard receipt.outcome != .refused else { return true }
    for topic in outgoing.stages.keys where MessageTopic.addressee(of: topic) == receipt.by {
      clear(topic, of: receipt.letter)
    }
    return true
  }

  private mutating func republish() {
    for (id, outgoing) in letters {
      for (topic, stage) in outgoing.stages where stage == .published {
        letters[id]?.stages[topic] = .toPublish
      }
    }
  }

  private mutating func expire(_ date: UTCInstant?) {
    for (id, outgoing) in letters where outgoing.letter.isOver(at: date) {
      for topic in outgoing.stages.keys { clear(topic, of: id) }
    }
  }

  /// Keeps the most recently written of the letters that are over.
  private mutating func enforceLimits() {
    let over = letters.values.filter(\.isOver)
    guard over.count > MessagingLimits.outgoingOver else { return }
    let oldest = over.sorted { one, other in
      (one.letter.written?.nanoseconds ?? 0, one.letter.id)
        < (other.letter.written?.nanoseconds ?? 0, other.letter.id)
    }
    for outgoing in oldest.prefix(over.count - MessagingLimits.outgoingOver) {
      letters[outgoing.letter.id] = nil
    }
  }

  private mutating func keep(
    changesSince before: [UniqueID: OutgoingLetter], _ step: inout MessagingStep
  ) {
    enforceLimits()
    for id in Set(before.keys).union(letters.keys).sorted() where before[id] != letters[id] {
      let key = StoredMessage.Key(.outgoingLetter, "\(id)")
      if let outgoing = letters[id] { step.keep(key, outgoing.bytes) } else { step.forget(key) }
    }
    let isPending = letters.contains { id, outgoing in
      outgoing.stages.contains { topic, stage in
        stage.isPending && before[id]?.stages[topic] != stage
      }
    }
    if isPending { step.markPending() }
  }
}
