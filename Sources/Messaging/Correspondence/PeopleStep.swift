import Core
import Records

/// One step in progress: its time, what still has to be sent, and its results.
struct PeopleStep {
  let now: BootInstant
  /// Nil: it is not known.
  let date: UTCInstant?
  /// Whether there is a broker for what is to be sent.
  private let hasBroker: Bool
  private(set) var book: PublicationQueue
  private(set) var turn = PeopleStepResult()

  init(at now: BootInstant, date: UTCInstant?, hasBroker: Bool, _ book: PublicationQueue) {
    self.now = now
    self.hasBroker = hasBroker
    self.date = MessageCheck.believable(date)
    self.book = book
  }

  // MARK: What comes of it

  mutating func keep(_ item: StoredMessage) { turn.keep(item) }
  mutating func forget(_ key: StoredMessage.Key) { turn.forget(key) }
  mutating func tell(_ news: PeopleNotification) { turn.news.append(news) }
  mutating func refuse(_ subject: String, _ reason: String, _ path: String = "") {
    refuse(subject, MessageError(reason, at: path))
  }
  mutating func refuse(_ subject: String, _ error: MessageError) {
    turn.refusals.append(PeopleRefusal(subject: subject, error: error))
  }

  /// Whether something of the letter, letterbox, group or meeting of that id was refused.
  func hasRefused(_ id: UniqueID) -> Bool { turn.refusals.contains { $0.concerns(id) } }

  // MARK: What is to be sent

  /// Without a broker nothing is retained, so an empty payload only removes the pending message.
  mutating func publish(_ publication: Publication) {
    if !hasBroker, publication.payload.isEmpty {
      book.remove(publication.topic, &turn)
    } else {
      book.publish(publication, &turn)
    }
  }

  /// File exchange never acknowledges receipts: only the latest can be kept for the next file.
  var roomForReceipts: Int { hasBroker ? book.roomForReceipts : .max }

  mutating func publish(_ receipt: LetterReceipt) {
    if !hasBroker, book.roomForReceipts == 0, let oldest = book.removeOldestReceipt(&turn) {
      refuse(
        "receipt for \(oldest.to) of letter \(oldest.letter)",
        "newer ones take its place: hand the next file over before so many are delivered")
    }
    publish(Publication(receipt))
  }

  /// The outbox has something new to send; it stores that itself.
  mutating func hasMail() { turn.hasMail = true }
  /// - Returns: whether it was one of these, in its latest form.
  mutating func acknowledged(_ topic: String, _ payload: [UInt8]) -> Bool {
    book.acknowledged(topic, payload, &turn)
  }
}
