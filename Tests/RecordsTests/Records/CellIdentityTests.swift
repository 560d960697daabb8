import Records
import Testing

@Suite struct CellIdentityTests {
  @Test("a cell is written and read back")
  func roundTrip() throws {
    let cells: [(CellIdentity.Radio, UInt16, UInt16, UInt32, UInt64, String)] = [
      (.lte, 262, 1, 0x8BE3, 0x2BAF01, "lte 262-01-8BE3-2BAF01"),
      (.gsm, 310, 260, 0x8BE3, 0x2BAF, "gsm 310-260-8BE3-2BAF"),
      (.umts, 1, 0, 1, 0xFFF_FFFF, "umts 001-00-1-FFFFFFF"),
      (.nr, 999, 999, 0xFF_FFFD, 0xF_FFFF_FFFF, "nr 999-999-FFFFFD-FFFFFFFFF"),
      (.cdma, 310, 32_767, 0xFFFF, 0xFFFF, "cdma 310-32767-FFFF-FFFF"),
    ]
    for (radio, mcc, mnc, area, cell, text) in cells {
      let identity = try #require(
        CellIdentity(radio: radio, mcc: mcc, mnc: mnc, area: area, cell: cell))
      #expect(identity.text == text)
      #expect(CellIdentity(text: text) == identity)
    }
  }

  @Test("placeholders for an unknown cell are refused")
  func unknown() {
    for area: UInt32 in [0, 0xFFFE, 0xFFFF] {
      #expect(CellIdentity(radio: .lte, mcc: 262, mnc: 1, area: area, cell: 1) == nil)
    }
    #expect(CellIdentity(radio: .nr, mcc: 262, mnc: 1, area: 0xFF_FFFE, cell: 1) == nil)
    #expect(CellIdentity(radio: .gsm, mcc: 262, mnc: 1, area: 1, cell: 0) == nil)
    #expect(CellIdentity(radio: .gsm, mcc: 262, mnc: 1, area: 1, cell: 0x1_0000) == nil)
    #expect(CellIdentity(radio: .lte, mcc: 0, mnc: 1, area: 1, cell: 1) == nil)
    #expect(CellIdentity(radio: .lte, mcc: 262, mnc: 1000, area: 1, cell: 1) == nil)
  }

  @Test(
    "other texts are refused",
    arguments: [
      "", "lte", "lte ", "lte 262-01-8BE3", "lte 262-1-8BE3-2BAF", "lte 262-001-8BE3-2BAF",
      "lte 262-01-8be3-2BAF", "lte 262-01-08BE3-2BAF", "LTE 262-01-8BE3-2BAF",
      "lte  262-01-8BE3-2BAF", "lte 262-01-8BE3-2BAF-1", "lte +262-01-8BE3-2BAF",
      "lte 99999-01-8BE3-2BAF", "lte 262-01-FFFFFFFFF-2BAF", "wimax 262-01-8BE3-2BAF",
      "lte 262-01-8BE3-2BAF 00000000000000000000000000000000",
    ])
  func otherText(_ text: String) {
    #expect(CellIdentity(text: text) == nil)
  }
}
