import Core

/// The state of one letter, as the store keeps it over restarts.
public struct LetterRecord: Hashable, Sendable {
  public enum Status: String, CaseIterable, Sendable {
    /// It waits at its place.
    case waiting
    /// The addressee has received it, but not read it.
    case delivered
    case read
    case withdrawn
    case expired
    case refused
  }

  public let key: LetterKey
  /// The order of arrival here.
  let number: Int
  public internal(set) var status: Status
  /// The reason of a refusal; also set for a letter that waits for a missing letterbox, once its
  /// writer has been notified.
  public internal(set) var reason: LetterRefusal?
  /// Whether its nearness was reported, and the board has not left since.
  public internal(set) var isNear = false
  /// Since when its letterbox is missing; nil: it is there, or the date was not known.
  var missedSince: UTCInstant?
  /// When it was settled; nil: it was not, or the date was not known.
  public internal(set) var at: UTCInstant?
  /// Nil if it is no longer needed, or never arrived.
  public internal(set) var letter: Letter?

  init(
    _ key: LetterKey, number: Int, _ standing: Status, letter: Letter? = nil,
    reason: LetterRefusal? = nil, at: UTCInstant? = nil
  ) {
    self.key = key
    self.number = number
    self.status = standing
    self.letter = letter
    self.reason = reason
    self.at = MessageCheck.plausible(at)
  }

  /// Whether the letter was here and is over: it must not be accepted again.
  var isSettled: Bool {
    switch status {
    case .delivered, .read, .expired: letter == nil
    case .waiting, .withdrawn, .refused: false
    }
  }

  /// Whether the record is about a letter that was not kept here.
  var isUnseen: Bool { status == .refused || status == .withdrawn }

  // MARK: JSON

  private static let type = "letter_record"
  private static let mostNumbers = 1 << 50

  init(_ bytes: some Collection<UInt8>) throws(MessageError) {
    let reader = try MessageReader(bytes, atMost: MessagingLimits.letterMessage + 1000)
    try reader.expect(Self.type)
    key = LetterKey(try reader.id("letter"), from: try reader.person("from"))
    number = try reader.integer("number", 0...Self.mostNumbers)
    status = try reader.word("standing")
    if reader.has("reason") { reason = try reader.word("reason") }
    isNear = try reader.flag("near")
    missedSince = try reader.timeIfAny("missed_since")
    at = try reader.timeIfAny("at")
    if reader.has("content") { letter = try Letter(try reader.part("content")) }
    guard letter.map({ $0.key == key }) ?? (status != .waiting) else {
      throw MessageError("it is missing, or a different letter: remove the record", at: "content")
    }
  }

  var bytes: [UInt8] {
    var writer = MessageWriter(Self.type)
    writer.add("letter", key.id)
    writer.add("from", key.from)
    writer.add("number", number)
    writer.add("standing", status.rawValue)
    writer.add("reason", reason?.rawValue)
    writer.add("near", if: isNear)
    writer.add("missed_since", missedSince)
    writer.add("at", at)
    writer.add("content", json: letter?.writer.json)
    return writer.bytes
  }
}
