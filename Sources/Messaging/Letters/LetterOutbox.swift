import Core

/// Events of letters that were written here.
public enum LetterOutboxEvent: Hashable, Sendable {
  case written(Letter)
  /// Withdrawn everywhere.
  case withdrawn(UniqueID)
  /// A broker has acknowledged a pending message.
  case acknowledged(RetainedMessage)
  case receipt(LetterReceipt)
  /// A letter of this person is retained under a topic; a new board does not know it yet.
  case recovered(Letter, topic: String)
  /// Nothing is retained there any more.
  case cleared(UniqueID, topic: String)
  /// The broker may have lost what was retained.
  case forgotten
  case timePassed
}

/// Effects of a step; what is stored comes first, as with `LetterEffect`.
public enum LetterOutboxEffect: Hashable, Sendable {
  case store(OutgoingLetter)
  /// The letter is finished.
  case forget(UniqueID)
  /// It cannot be sent or withdrawn, and why.
  case refused(UniqueID, MessageError)
  /// A new outcome of a letter.
  case outcome(LetterReceipt)
  /// Something is pending.
  case send
}

/// One retained message, or an empty one that clears it.
public struct RetainedMessage: Hashable, Sendable {
  public let letter: UniqueID
  public let topic: String
  /// Empty: the retained message is cleared.
  public let payload: [UInt8]
}

/// Outgoing letters: which still have to be sent, which are published, and which have to be cleared
/// because they were delivered, have expired, or were withdrawn.
public struct LetterOutbox: Sendable {
  public let me: PersonAddress
  private var letters: [UniqueID: OutgoingLetter]

  public init(of me: PersonAddress, restoring letters: [OutgoingLetter] = []) {
    self.me = me
    self.letters = Dictionary(letters.map { ($0.letter.id, $0) }) { first, _ in first }
  }

  // MARK: What is known

  public var all: [OutgoingLetter] {
    letters.values.sorted { $0.letter.id < $1.letter.id }
  }

  /// Messages without an acknowledgement; after a restart or a lost connection all of them are sent
  /// again. A repeated message changes nothing for its receivers.
  public var pending: [RetainedMessage] { retained(where: \.isPending) }

  /// The pending messages that clear a topic.
  public var toClear: [RetainedMessage] { retained { $0 == .toClear } }

  private func retained(where isMeant: (OutgoingLetter.Stage) -> Bool) -> [RetainedMessage] {
    all.flatMap { outgoing in
      let meant = outgoing.stages.filter { isMeant($0.value) }.sorted { $0.key < $1.key }
      // The payload is the same under every topic.
      let payload = meant.contains { $0.value == .toPublish } ? outgoing.payload : []
      return meant.map { topic, stage in
        RetainedMessage(
          letter: outgoing.letter.id, topic: topic, payload: stage == .toPublish ? payload : [])
      }
    }
  }

  public var pendingCount: Int {
    letters.values.reduce(0) { count, outgoing in
      count + outgoing.stages.values.count(where: \.isPending)
    }
  }

  /// The message pending under a topic, if the payload is the latest.
  public func pending(under topic: String, _ payload: [UInt8]) -> RetainedMessage? {
    let wanted: OutgoingLetter.Stage = payload.isEmpty ? .toClear : .toPublish
    let meant = letters.values.first { outgoing in
      outgoing.stages[topic] == wanted && (payload.isEmpty || outgoing.payload == payload)
    }
    return meant.map { RetainedMessage(letter: $0.letter.id, topic: topic, payload: payload) }
  }

  /// When the next published letter expires and has to be cleared; nil: none does.
  public var nextEnd: UTCInstant? {
    letters.values.compactMap { outgoing in
      let lies = outgoing.stages.values.contains { $0 == .toPublish || $0 == .published }
      return lies ? outgoing.letter.expires : nil
    }.min()
  }

  /// Letters withdrawn before all addressees had them: a recipient reached by a file has to learn
  /// that from the next file. The number is limited so that there is room for other letters.
  public func withdrawnLetters(at date: UTCInstant?) -> Set<UniqueID> {
    let back = all.filter { outgoing in
      !outgoing.letter.isOver(at: MessageCheck.plausible(date))
        && outgoing.stages.contains { topic, stage in
          stage == .toClear && !outgoing.isSettled(for: LetterTopics.addressee(of: topic))
        }
    }
    return Set(back.prefix(LetterLimits.outgoing / 4).map(\.letter.id))
  }

  // MARK: What happens

  /// - Parameter date: of now; nil: it is not known, and nothing expires then.
  public mutating func step(_ event: LetterOutboxEvent, date: UTCInstant?) -> [LetterOutboxEffect] {
    let before = letters
    var told: [LetterOutboxEffect] = []
    switch event {
    case .written(let letter):
      do { try add(letter, date) } catch { told.append(.refused(letter.id, error)) }
    case .withdrawn(let id):
      do { try withdraw(id) } catch { told.append(.refused(id, error)) }
    case .acknowledged(let retained): acknowledged(retained)
    case .receipt(let receipt): if received(receipt) { told.append(.outcome(receipt)) }
    case .recovered(let letter, let topic):
      do { try recover(letter, topic) } catch { told.append(.refused(letter.id, error)) }
    case .cleared(let id, let topic):
      if letters[id]?.stages[topic] != nil { letters[id]?.stages[topic] = .cleared }
    case .forgotten: republish()
    case .timePassed: break
    }
    expire(MessageCheck.plausible(date))
    return changes(since: before) + told
  }

  private mutating func add(_ letter: Letter, _ date: UTCInstant?) throws(MessageError) {
    guard letter.from == me else {
      throw MessageError("it is \(letter.from)'s: write it as \(me)", at: "from")
    }
    guard letters[letter.id] == nil else {
      throw MessageError("there is a letter of that id: take a new one", at: "id")
    }
    guard !letter.isOver(at: MessageCheck.plausible(date)) else {
      throw MessageError("it is over already: give a later time", at: "expires")
    }
    try checkRoom()
    let outgoing = OutgoingLetter(letter)
    guard !outgoing.stages.isEmpty else {
      throw MessageError("it lies in too many areas: make its circle smaller", at: "radius_m")
    }
    letters[letter.id] = outgoing
  }

  private func checkRoom() throws(MessageError) {
    guard letters.values.count(where: { !$0.isOver }) < LetterLimits.outgoing else {
      throw MessageError(
        "\(LetterLimits.outgoing) letters wait for whom they are for: take some back")
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
        outgoing.isWithdrawn || outgoing.isSettled(for: LetterTopics.addressee(of: topic))
      letters[letter.id]?.stages[topic] = isDone ? .toClear : .published
    case .published, .toClear, nil: break
    }
  }

  private mutating func withdraw(_ id: UniqueID) throws(MessageError) {
    guard let outgoing = letters[id], !outgoing.isOver else {
      throw MessageError(
        "no letter of that id lies anywhere: it was delivered, is over, or is none of \(me)'s",
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

  private mutating func acknowledged(_ retained: RetainedMessage) {
    switch letters[retained.letter]?.stages[retained.topic] {
    case .toPublish where !retained.payload.isEmpty:
      letters[retained.letter]?.stages[retained.topic] = .published
    case .toClear where retained.payload.isEmpty:
      letters[retained.letter]?.stages[retained.topic] = .cleared
    // Late: the stage has changed since it was sent.
    default: break
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
    guard known != nil || outgoing.outcomes.count < LetterLimits.people else { return false }
    letters[receipt.letter]?.outcomes[receipt.by] = receipt.outcome
    letters[receipt.letter]?.reasons[receipt.by] = receipt.reason
    // A refused letter stays published: there may be room for it later.
    guard receipt.outcome != .refused else { return true }
    for topic in outgoing.stages.keys where LetterTopics.addressee(of: topic) == receipt.by {
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
    guard over.count > LetterLimits.over else { return }
    let oldest = over.sorted { one, other in
      (one.letter.written?.nanoseconds ?? 0, one.letter.id)
        < (other.letter.written?.nanoseconds ?? 0, other.letter.id)
    }
    for outgoing in oldest.prefix(over.count - LetterLimits.over) {
      letters[outgoing.letter.id] = nil
    }
  }

  private mutating func changes(since before: [UniqueID: OutgoingLetter]) -> [LetterOutboxEffect] {
    enforceLimits()
    var effects: [LetterOutboxEffect] = []
    for id in Set(before.keys).union(letters.keys).sorted() where before[id] != letters[id] {
      effects.append(letters[id].map { .store($0) } ?? .forget(id))
    }
    let isPending = letters.contains { id, outgoing in
      outgoing.stages.contains { topic, stage in
        stage.isPending && before[id]?.stages[topic] != stage
      }
    }
    if isPending { effects.append(.send) }
    return effects
  }
}
