import Core

/// Identifies a letter: its id and its writer. Everybody who received the letter knows the id;
/// another person's letter with the same id must neither keep it out nor withdraw it.
public struct LetterKey: Hashable, Comparable, Sendable {
  public let from: PersonAddress
  public let id: UniqueID

  public init(_ id: UniqueID, from: PersonAddress) {
    self.id = id
    self.from = from
  }

  public static func < (a: Self, b: Self) -> Bool { (a.from, a.id) < (b.from, b.id) }
}

extension Letter {
  public var key: LetterKey { LetterKey(id, from: from) }
}

/// Withdraws a letter; only its writer may.
public struct LetterWithdrawal: Hashable, Sendable {
  let key: LetterKey

  init(_ key: LetterKey) { self.key = key }

  // MARK: JSON

  static let type = "letter_withdrawal"

  init(_ reader: MessageReader) throws(MessageError) {
    self.init(LetterKey(try reader.id("letter"), from: try reader.person("from")))
  }

  var writer: MessageWriter {
    var writer = MessageWriter(Self.type)
    writer.add("letter", key.id)
    writer.add("from", key.from)
    return writer
  }
}
