/// Arguments as a line for a POSIX shell.
enum ShellWords {
  static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

  /// In single quotes where the shell would not take the word as it is (POSIX 2.2.2).
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || !word.utf8.allSatisfy(isPlain) else { return word }
    var text = "'"
    for character in word.unicodeScalars {
      if character == "'" { text += "'\\''" } else { text.unicodeScalars.append(character) }
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
