import Testing

@testable import Notation

@Suite struct TerminalTextTests {
  @Test(
    "what a terminal would obey is shown instead",
    arguments: [
      ("\u{1b}[31mred", "\u{fffd}[31mred"), ("a\nb\rc\td", "a\u{fffd}b\u{fffd}c\u{fffd}d"),
      ("\u{9b}2J\u{7f}", "\u{fffd}2J\u{fffd}"), ("\u{202e}abc\u{2028}", "\u{fffd}abc\u{fffd}"),
    ])
  func ordersAreReplaced(text: String, shown: String) {
    #expect(TerminalText.line(text) == shown)
  }

  @Test("text in any script stays as it is", arguments: ["", "plain", "Größe µA Ω 東京 🙂", "\u{a0}"])
  func textStays(text: String) {
    #expect(TerminalText.line(text) == text)
  }

  @Test("JSON escapes all control characters and stays what it was")
  func jsonEscapesControls() throws {
    let text = "\u{0}\u{1b}\u{7f}\u{80}\u{9b}\u{9f}\u{a0}ÀÛ"
    let written = JSONValue.string(text).text
    #expect(written == #""\u0000\u001b\u007f\u0080\u009b\u009f"# + "\u{a0}ÀÛ\"")
    #expect(try JSONValue(parsing: written) == .string(text))
  }
}
