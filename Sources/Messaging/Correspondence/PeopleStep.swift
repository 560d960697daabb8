import Core
import Records

/// One step in progress: its time, what still has to be sent, and its results.
struct PeopleStep {
  let now: BootInstant
  /// Nil: it is not known.
  let date: UTCInstant?
  /// Whether there is a broker for what is to be sent.
  private let hasBroker: Bool
  private(set) var queue: PublicationQueue
  private(set) var result = PeopleStepResult()

  init(at now: BootInstant, date: UTCInstant?, hasBroker: Bool, _ book: PublicationQueue) {
    self.now = now
    self.hasBroker = hasBroker
    self.date = MessageCheck.plausible(date)
    self.queue = book
  }

  // MARK: What comes of it

  mutating func keep(_ item: StoredMessage) { result.keep(item) }
  mutating func forget(_ key: StoredMessage.Key) { result.forget(key) }
  mutating func report(_ news: PeopleNotification) { result.notifications.append(news) }
  mutating func refuse(_ subject: String, _ reason: String, _ path: String = "") {
    refuse(subject, MessageError(reason, at: path))
  }
  mutating func refuse(_ subject: String, _ error: MessageError) {
    result.refusals.append(PeopleRefusal(subject: subject, error: error))
  }

  /// Whether something of the letter, letterbox, group or meeting of that id was refused.
  func hasRefused(_ id: UniqueID) -> Bool { result.refusals.contains { $0.concerns(id) } }

  // MARK: What is to be sent

  /// Without a broker nothing is retained, so an empty payload only removes the pending message.
  mutating func publish(_ publication: Publication) {
    if !hasBroker, publication.payload.isEmpty {
      queue.remove(publication.topic, &result)
    } else {
      queue.publish(publication, &result)
    }
  }

  /// File exchange never acknowledges receipts: only the latest can be kept for the next file.
  var roomForReceipts: Int { hasBroker ? queue.roomForReceipts : .max }

  mutating func publish(_ receipt: LetterReceipt) {
    if !hasBroker, queue.roomForReceipts == 0, let oldest = queue.removeOldestReceipt(&result) {
      refuse(
        "receipt for \(oldest.to) of letter \(oldest.letter)",
        "newer ones take its place: hand the next file over before so many are delivered")
    }
    publish(Publication(receipt))
  }

  /// The outbox has something new to send; it stores that itself.
  mutating func markPending() { result.hasPending = true }
  /// - Returns: whether it was one of these, in its latest form.
  mutating func acknowledged(_ topic: String, _ payload: [UInt8]) -> Bool {
    queue.acknowledged(topic, payload, &result)
  }
}
