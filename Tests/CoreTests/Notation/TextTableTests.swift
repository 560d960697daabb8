import Testing

@testable import Core

@Suite struct TextTableTests {
  @Test("cells are aligned in columns, and nothing follows the last one")
  func alignment() {
    let table = TextTable([.init(width: 4), .init(width: 5, side: .right), .init(width: 6)])
    #expect(table.line(["ab", "12", "end"]) == "ab       12  end")
    #expect(table.line(["", "", ""]) == "             ")
    #expect(table.line(["abcdef", "1234567", "x"]) == "abcdef  1234567  x", "longer cells move on")
    #expect(table.line(["ä€", "1", "x"]) == "ä€        1  x", "characters count, not bytes")
  }

  @Test("a growing table keeps the cells of later lines aligned") func growth() {
    var table = TextTable([.init(width: 4), .init(width: 5, side: .right), .init()])
    table.widen(for: ["abcdef", "12", "end"])
    #expect(table.line(["abcdef", "12", "end"]) == "abcdef     12  end")
    table.widen(for: ["ab", "3", "end"])
    #expect(table.line(["ab", "3", "end"]) == "ab          3  end")
  }

  @Test("a right-aligned last column is padded on its left, and columns may touch")
  func lastOnTheRight() {
    let table = TextTable([.init(width: 3), .init(width: 4, side: .right)], gap: 0)
    #expect(table.line(["a", "1"]) == "a     1")
  }

  @Test("a page leaves out unknown values, and names a list once")
  func page() {
    var page = TextPage(names: 6)
    page.add("state", ["running", nil, "well"])
    page.add("visit", [nil, nil])
    page.add("store", nil as String?)
    page.add("none", lines: [])
    page.add("sleep", lines: ["by command", "by line"])
    page.add("longer name", "told")
    #expect(
      page.text == """
        state   running, well
        sleep   by command
                by line
        longer name  told
        """)
  }
}

@Suite struct TerminalTextTests {
  @Test("line breaks and escapes are control characters; marks and signs are not")
  func controlCharacters() {
    for text in ["a\nb", "\u{1B}[31m", "\u{7F}", "\u{85}", "\0"] {
      #expect(TerminalText.hasControlCharacter(text))
    }
    for text in ["", "a b", "Straße \u{1F6B2}", "\u{A0}", "\u{2028}"] {
      #expect(!TerminalText.hasControlCharacter(text))
    }
  }

  @Test(
    "text that a terminal would execute is shown instead",
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

  @Test(
    "bytes of any encoding become printable ASCII of limited length",
    arguments: [
      ([0x41, 0x1b, 0x7f, 0xc3, 0xa9, 0x7e, 0x20], 10, "A????~ "), ([0x41, 0x42, 0x43], 2, "AB"),
      ([], 5, ""), ([0x41], 0, ""),
    ] as [([UInt8], Int, String)])
  func bytesBecomeASCII(bytes: [UInt8], limit: Int, shown: String) {
    #expect(TerminalText.ascii(bytes, atMost: limit) == shown)
  }

  @Test("JSON escapes all control characters and keeps its meaning")
  func jsonEscapesControls() throws {
    let text = "\u{0}\u{1b}\u{7f}\u{80}\u{9b}\u{9f}\u{a0}ÀÛ"
    let written = JSONValue.string(text).text
    #expect(written == #""\u0000\u001b\u007f\u0080\u009b\u009f"# + "\u{a0}ÀÛ\"")
    #expect(try JSONValue(parsing: written) == .string(text))
  }
}
