import Core

/// What a letter is known by: its id and who wrote it. The id alone is known to everybody who got
/// the letter, and another's letter with the same one must not keep it out, nor take it back.
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

/// A letter is taken back by whoever wrote it.
public struct LetterWithdrawal: Hashable, Sendable {
  public let key: LetterKey

  public init(_ key: LetterKey) { self.key = key }

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
