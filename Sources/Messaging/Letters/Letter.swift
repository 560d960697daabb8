import Core

/// A message left at a place until its addressee comes by (Landsmann 2013, 4.2).
public struct Letter: Hashable, Sendable {
  /// Where it is delivered.
  public enum Spot: Hashable, Sendable {
    case circle(LetterCircle)
    /// At the letterbox of that id.
    case box(UniqueID)
  }

  public let id: UniqueID
  public let from: PersonAddress
  public let to: Addressees
  public let spot: Spot
  /// Nil: the writer's board did not know the date, for example because it booted in 1970.
  public let written: UTCInstant?
  /// From when on it is not delivered any more; nil: never.
  public let expires: UTCInstant?
  /// The letter that it answers; nil: none.
  public let answers: UniqueID?
  public let text: String

  /// - Parameters:
  ///   - written: a date before `MessageCheck.firstDate` counts as none.
  ///   - expires: such a date comes from an unset clock and counts as none too: a letter that stays
  ///     too long is better than one that is never delivered.
  /// - Throws: if the values do not form a valid letter.
  public init(
    id: UniqueID, from: PersonAddress, to: Addressees, at spot: Spot, written: UTCInstant?,
    expires: UTCInstant? = nil, answers: UniqueID? = nil, text: String
  ) throws(MessageError) {
    try to.check(atMost: MessagingLimits.addressees, at: "to")
    try MessageCheck.text(text, atMost: MessagingLimits.text, at: "text")
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw MessageError("it is empty: write a text", at: "text")
    }
    if to == .everybody, case .box = spot {
      throw MessageError(
        "a letter in a letterbox cannot be for everybody: name people, or leave it at a place",
        at: "to")
    }
    self.id = id
    self.from = from
    self.to = to
    self.spot = spot
    self.written = MessageCheck.plausible(written)
    self.expires = MessageCheck.plausible(expires)
    self.answers = answers
    self.text = text
    if let written = self.written, let expires = self.expires, expires <= written {
      throw MessageError(
        "it is not after the time of writing: use a later time, or leave it out", at: "expires")
    }
    guard answers != id else {
      throw MessageError(
        "it is the letter itself: use the id of the letter that it answers", at: "answers")
    }
  }

  /// An answer is left where the letter was, addressed to its writer.
  /// - Parameter spot: another place; nil: the same.
  public func answer(
    id: UniqueID, from writer: PersonAddress, at spot: Spot? = nil, written: UTCInstant?,
    expires: UTCInstant? = nil, text: String
  ) throws(MessageError) -> Letter {
    guard to.include(writer) else {
      throw MessageError(
        "\(writer) is not an addressee of the letter: only addressees can answer it")
    }
    return try Letter(
      id: id, from: writer, to: .people([from]), at: spot ?? self.spot, written: written,
      expires: expires, answers: self.id, text: text)
  }

  /// Whether it has expired; false as long as the date is not known.
  func isOver(at date: UTCInstant?) -> Bool {
    guard let date, let expires else { return false }
    return date >= expires
  }

  // MARK: JSON

  static let type = "letter"

  init(_ reader: MessageReader) throws(MessageError) {
    let spot: Spot
    if let box = try reader.idIfAny("box") {
      guard !reader.has("latitude"), !reader.has("longitude") else {
        throw MessageError(
          "the letter has a letterbox and a position: leave one of the two out", at: "box")
      }
      spot = .box(box)
    } else {
      spot = .circle(try LetterCircle(reader))
    }
    try self.init(
      id: try reader.id("id"), from: try reader.person("from"), to: try Addressees(reader, "to"),
      at: spot, written: try reader.timeIfAny("written"), expires: try reader.timeIfAny("expires"),
      answers: try reader.idIfAny("answers"), text: try reader.text("text"))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("id", id)
    writer.add("from", from)
    to.write("to", into: &writer)
    writer.add("written", written)
    writer.add("expires", expires)
    writer.add("answers", answers)
    switch spot {
    case .circle(let circle): circle.write(into: &writer)
    case .box(let id): writer.add("box", id)
    }
    writer.add("text", text)
    return writer
  }
}
