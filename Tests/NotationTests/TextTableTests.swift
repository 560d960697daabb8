import Notation
import Testing

@Suite struct TextTableTests {
  @Test("cells stand below each other, and nothing stands behind the last")
  func alignment() {
    let table = TextTable([.init(width: 4), .init(width: 5, side: .right), .init(width: 6)])
    #expect(table.line(["ab", "12", "end"]) == "ab       12  end")
    #expect(table.line(["", "", ""]) == "             ")
    #expect(table.line(["abcdef", "1234567", "x"]) == "abcdef  1234567  x", "longer cells move on")
    #expect(table.line(["ä€", "1", "x"]) == "ä€        1  x", "characters count, not bytes")
  }

  @Test("a last column on the right is filled up on its left, and columns may touch")
  func lastOnTheRight() {
    let table = TextTable([.init(width: 3), .init(width: 4, side: .right)], gap: 0)
    #expect(table.line(["a", "1"]) == "a     1")
  }

  @Test("a page leaves out what is not known, and names a list once")
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
