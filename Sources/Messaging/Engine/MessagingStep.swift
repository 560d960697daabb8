import Core
import Records

/// One step in progress: its time, what still has to be sent, and its results.
struct MessagingStep {
  let now: BootInstant
  /// Nil: it is not known.
  let date: UTCInstant?
  /// Whether there is a broker for what is to be sent.
  private let hasBroker: Bool
  private(set) var queue: PublicationQueue
  private(set) var result = MessagingResult()

  init(
    at now: BootInstant, date: UTCInstant?, hasBroker: Bool,
    _ queue: PublicationQueue = PublicationQueue()
  ) {
    self.now = now
    self.hasBroker = hasBroker
    self.date = MessageCheck.plausible(date)
    self.queue = queue
  }

  /// When something of that date is due by the boot clock; nil where there is no such date, or the
  /// present one is not known.
  func instant(of due: UTCInstant?) -> BootInstant? {
    guard let date, let due else { return nil }
    return now + (due - date)
  }

  // MARK: What comes of it

  mutating func keep(_ key: StoredMessage.Key, _ bytes: [UInt8]) {
    result.keep(StoredMessage(key, utf8: bytes))
  }
  mutating func forget(_ key: StoredMessage.Key) { result.forget(key) }
  mutating func report(_ news: MessagingNotification) { result.notifications.append(news) }
  mutating func refuse(_ subject: String, _ reason: String, _ path: String = "") {
    refuse(subject, MessageError(reason, at: path))
  }
  mutating func refuse(_ subject: String, _ error: MessageError) {
    result.refusals.append(MessagingRefusal(subject: subject, error: error))
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

  mutating func publish(
    _ message: PeerMessage, under topics: [String], place: PublishedPlace? = nil
  ) {
    let payload = message.bytes
    for topic in topics {
      publish(Publication(topic: topic, payload: payload, guide: place))
    }
  }

  mutating func clear(_ topics: [String], place: PublishedPlace? = nil) {
    for topic in topics { publish(Publication(topic: topic, guide: place)) }
  }

  /// File exchange never acknowledges receipts: only the latest can be kept for the next file.
  var roomForReceipts: Int { hasBroker ? queue.roomForReceipts : .max }

  mutating func publish(_ receipt: LetterReceipt) {
    if !hasBroker, queue.roomForReceipts == 0, let oldest = queue.removeOldestReceipt(&result) {
      refuse(
        "receipt for \(oldest.to) of letter \(oldest.letter)",
        "newer receipts replace it: hand over the next file before so many letters are delivered")
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
