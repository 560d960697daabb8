import Core

/// The outcome of a letter for one addressee, reported to its writer.
public struct LetterReceipt: Hashable, Sendable {
  public enum Outcome: String, CaseIterable, Sendable {
    case delivered
    /// The addressee did not come in time.
    case expired
    /// It cannot be delivered; the cause is in `reason`.
    case refused
  }

  public let letter: UniqueID
  /// The letter's writer.
  public let to: PersonAddress
  /// The person whose board reports it.
  public let by: PersonAddress
  public let outcome: Outcome
  /// Nil: that board did not know the date.
  public let at: UTCInstant?
  public let reason: String?

  public init(
    letter: UniqueID, to: PersonAddress, by: PersonAddress, _ outcome: Outcome, at: UTCInstant?,
    reason: String? = nil
  ) throws(MessageError) {
    if let reason { try MessageCheck.name(reason, atMost: MessagingLimits.name, at: "reason") }
    self.letter = letter
    self.to = to
    self.by = by
    self.outcome = outcome
    self.at = MessageCheck.plausible(at)
    self.reason = reason
  }

  // MARK: JSON

  static let type = "letter_receipt"

  init(_ reader: MessageReader) throws(MessageError) {
    try self.init(
      letter: try reader.id("letter"), to: try reader.person("to"), by: try reader.person("by"),
      try reader.word("outcome"), at: try reader.timeIfAny("at"),
      reason: try reader.textIfAny("reason"))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("letter", letter)
    writer.add("to", to)
    writer.add("by", by)
    writer.add("outcome", outcome.rawValue)
    writer.add("at", at)
    writer.add("reason", reason)
    return writer
  }
}
