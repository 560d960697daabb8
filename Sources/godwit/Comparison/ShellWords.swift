import Core

/// Formats arguments as a line for a shell.
enum ShellWords {
  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// In single quotes if the shell would not take the word literally (POSIX 2.2.2); in dollar and
  /// single quotes if it is not safe for a terminal: a file can have any name, and the line is
  /// shown to people (POSIX 2.2.4; bash and zsh have long supported it).
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || !word.utf8.allSatisfy(isPlain) else { return word }
    guard TerminalText.line(word) == word else { return escaped(word) }
    return "'\(word.replacing("'", with: "'\\''"))'"
  }

  private static func escaped(_ word: String) -> String {
    var text = "$'"
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): text += "\\\(Character(Unicode.Scalar(byte)))"
      case 0x20..<0x7f: text.unicodeScalars.append(Unicode.Scalar(byte))
      // Always three digits, so that a following digit is not part of the number.
      default: text += "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
      }
    }
    return text + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: Array("-_./:,=@%+".utf8).contains(byte)
    }
  }
}
