import Core

/// What a person is known by to everybody else: a word that is a level of an MQTT topic and a
/// file's name as it stands, so that nothing has to be translated there and no two people become
/// one.
public struct PersonAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// In bytes; with two addresses and an id, a topic stays below the shortest limit of common
  /// brokers.
  static let longest = 64
  /// Words used in topics and messages in place of a single person.
  static let reserved: Set<String> = ["everybody", "nobody"]

  private let word: String

  /// - Parameter text: small letters of ASCII, digits, `-` and `_`, a letter or a digit first. No
  ///   capitals: on a memory card's file system `Anna` and `anna` are the same. No dots: some
  ///   brokers separate topic levels by them.
  public init(_ text: String) throws(MessageError) {
    guard !text.isEmpty else { throw MessageError("it is empty: write an address, such as anna") }
    guard text.utf8.count <= Self.longest else {
      throw MessageError("\(text.utf8.count) bytes: shorten it to at most \(Self.longest)")
    }
    guard let first = text.utf8.first, Self.isPlain(first) else {
      throw MessageError(
        "\(Quoted.text(text)) does not begin with a lower-case letter or a digit: " + Self.form)
    }
    guard text.utf8.allSatisfy({ Self.isPlain($0) || $0 == 0x2D || $0 == 0x5F }) else {
      throw MessageError(
        "\(Quoted.text(text)) contains capitals, spaces or other characters: " + Self.form)
    }
    guard !Self.reserved.contains(text) else {
      throw MessageError("\"\(text)\" is reserved: choose another address")
    }
    word = text
  }

  private static let form = "use lower-case ASCII letters, digits, - and _, as in anna or ben-2"

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  public var description: String { word }

  public static func < (a: Self, b: Self) -> Bool { a.word < b.word }
}
