import TestSupport
import Testing

@testable import godwit

@Suite struct ShellWordsTests {
  @Test("words pass the shell unchanged, and cannot control a terminal")
  func words() throws {
    let words = [
      "a", "b c", "it's", "", "$x", "k=v,1", "~", "\u{1b}[2J7'\\", "a\nb", "é\u{9b}", "é",
    ]
    let line = ShellWords.line(words)
    #expect(line.hasPrefix("a 'b c' 'it'\\''s' '' '$x' k=v,1 '~' $'\\033[2J7\\'\\\\' $'a\\012b' $"))
    #expect(
      line.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7f..<0xa0).contains($0.value) })
    let printed = try run("bash", "-c", "printf '%s|' \(line)").output
    #expect(printed == words.joined(separator: "|") + "|")
  }
}
