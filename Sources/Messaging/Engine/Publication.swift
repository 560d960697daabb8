import Core
import Records

/// A retained message that has still to be sent. Sent twice it changes nothing.
public struct Publication: Hashable, Sendable {
  public let topic: String
  /// Empty: the retained message is cleared.
  public let payload: [UInt8]
  /// Expiry of the message; nil: it stays until another one clears it.
  public let life: Seconds?
  /// The guide's position, where the message reveals it through an open group's area; nil: the
  /// message reveals no position, or contains it itself.
  private let guide: PublishedPlace?

  /// - Parameter guide: the position of an open group's guide.
  init(
    topic: String, payload: [UInt8] = [], life: Seconds? = nil, guide: PublishedPlace? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.life = life
    self.guide = guide
  }

  init(_ receipt: LetterReceipt) {
    self.init(
      topic: MessageTopic.topic(of: receipt), payload: PeerMessage.receipt(receipt).bytes,
      life: MessageTopic.receiptLife)
  }

  /// - Parameter host: the group's guide, or the meeting's organizer.
  init(_ attendance: MembershipChange, to host: PersonAddress) {
    self.init(
      topic: MessageTopic.topic(of: attendance, to: host),
      payload: PeerMessage.attendance(attendance).bytes,
      life: attendance.action == .leave ? MessageTopic.leaveLife : nil)
  }

  /// Nil for anything else.
  fileprivate var receipt: LetterReceipt? {
    guard case .receipt(let receipt) = try? PeerMessage(payload) else { return nil }
    return receipt
  }

  /// The position that the message reveals, if any: the privacy filter of the board decides on it.
  public var place: PublishedPlace? {
    if let guide { return guide }
    switch try? PeerMessage(payload) {
    case .position(let position): return PublishedPlace(position)
    case .group(let group): return group.foundAt.map(PublishedPlace.init(of:))
    default: return nil
    }
  }

  /// The payload without the position; nil: the payload contains nothing else.
  public var placelessPayload: [UInt8]? {
    switch try? PeerMessage(payload) {
    case .position: return nil
    case .group(var group):
      group.foundAt = nil
      return PeerMessage.group(group).bytes
    default: return payload
    }
  }
}

/// Pending messages, only the latest for each topic.
struct PublicationQueue: Sendable {
  private var pending: [String: Publication] = [:]
  /// When each receipt was written, by topic, in nanoseconds: parsing a thousand messages to find
  /// the oldest would make each step slow.
  private var receiptDates: [String: Int64] = [:]
  private var receiptCount: Int { receiptDates.count }

  var count: Int { pending.count }
  var all: [Publication] { pending.values.sorted { $0.topic < $1.topic } }

  var receipts: [LetterReceipt] { all.compactMap(\.receipt) }

  func has(_ topic: String) -> Bool { pending[topic] != nil }

  /// For how many receipts there is room.
  var roomForReceipts: Int { max(0, MessagingLimits.pending - receiptCount) }
  /// Whether there is room for anything other than a receipt.
  var hasRoom: Bool { pending.count - receiptCount < MessagingLimits.pending }

  mutating func publish(_ publication: Publication, _ result: inout MessagingResult) {
    guard pending[publication.topic] != publication else { return }
    put(publication)
    result.keep(StoredMessage(Self.key(publication.topic), publication.text))
    result.hasPending = true
  }

  /// - Returns: whether it was one of these, in its latest form.
  mutating func acknowledged(
    _ topic: String, _ payload: [UInt8], _ result: inout MessagingResult
  ) -> Bool {
    guard pending[topic]?.payload == payload else { return false }
    remove(topic, &result)
    return true
  }

  mutating func remove(_ topic: String, _ result: inout MessagingResult) {
    guard pending.removeValue(forKey: topic) != nil else { return }
    receiptDates[topic] = nil
    result.forget(Self.key(topic))
  }

  /// Makes room for another receipt. One that has no date or cannot be read counts as oldest.
  /// - Returns: the receipt that is no longer sent, where it can be read.
  mutating func removeOldestReceipt(_ result: inout MessagingResult) -> LetterReceipt? {
    guard
      let topic = receiptDates.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })?.key
    else { return nil }
    let receipt = pending[topic]?.receipt
    remove(topic, &result)
    return receipt
  }

  mutating func restore(_ item: StoredMessage) throws(MessageError) {
    put(try Publication(item))
  }

  private mutating func put(_ publication: Publication) {
    pending[publication.topic] = publication
    guard MessageTopic.isReceipt(publication.topic) else { return }
    receiptDates[publication.topic] = publication.receipt?.at?.nanoseconds ?? 0
  }

  private static func key(_ topic: String) -> StoredMessage.Key {
    StoredMessage.Key(.publication, topic)
  }
}

extension Publication {
  private static let type = "publication"
  /// The limit of a message, with every character escaped once more.
  private static let longest = MessagingLimits.message * 6

  fileprivate init(_ item: StoredMessage) throws(MessageError) {
    let reader = try MessageReader(Array(item.text.utf8), atMost: Self.longest)
    try reader.expect(Self.type)
    self.init(
      topic: item.key.name, payload: Array(try reader.text("payload").utf8),
      life: reader.has("life_s") ? Seconds(try reader.number("life_s")) : nil,
      guide: reader.has("latitude") ? try PublishedPlace(reader) : nil)
  }

  fileprivate var text: String {
    var writer = MessageWriter(Self.type)
    writer.add("payload", String(decoding: payload, as: UTF8.self))
    writer.add("life_s", life)
    guide?.write(into: &writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
