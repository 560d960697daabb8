import Core
import Testing

@Suite struct CountedTests {
  @Test("one is singular, everything else plural")
  func plurals() {
    #expect(Counted.text(1, "record") == "1 record")
    #expect(Counted.text(0, "record") == "0 records")
    #expect(Counted.text(2, "fix", "fixes") == "2 fixes")
    #expect(Counted.text(UInt64(1), "fix", "fixes") == "1 fix")
    #expect(Counted.text(-1, "point") == "-1 points")
  }
}
