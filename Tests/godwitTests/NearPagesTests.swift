import Core
import Testing

@testable import godwit

@Suite struct NearPagesTests {
  private func answer(_ beacons: [JSONValue], failure: String? = nil) -> JSONValue {
    .object([
      ("state", .object([("failure", failure.map(JSONValue.string) ?? .null)])),
      ("beacons", .array(beacons)),
    ])
  }

  private let kitchen = JSONValue.object([
    ("beacon", .string("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2")),
    ("proximity", .string("near")), ("strength_dBm", .number(-62)), ("distance_m", .number(1.4)),
    ("heard_ago_s", .number(0)), ("places", .array([.string("Kitchen")])),
  ])

  @Test("missing reception is reported once, and again after a reception")
  func silence() {
    var pages = NearPages()
    #expect(pages.next(answer([])) == "no beacon in range yet")
    #expect(pages.next(answer([])) == nil)
    let line =
      "near       -62 dBm   1.4 m      0 s ago   Kitchen               "
      + "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"
    #expect(pages.next(answer([kitchen])) == line)
    #expect(pages.next(answer([kitchen])) == line)
    #expect(pages.next(answer([])) == "no beacon in range yet")
  }

  @Test("a fault of the radio is reported once, and on each change")
  func failures() {
    var pages = NearPages()
    #expect(pages.next(answer([], failure: "hci0 is switched off")) == "hci0 is switched off")
    #expect(pages.next(answer([], failure: "hci0 is switched off")) == nil)
    #expect(pages.next(answer([], failure: "hci0 is gone")) == "hci0 is gone")
    #expect(pages.next(answer([])) == "no beacon in range yet")
  }

  @Test("foreign answers and terminal escapes do no harm")
  func hostile() {
    var pages = NearPages()
    #expect(pages.next(.string("x")) == "no beacon in range yet")
    #expect(pages.next(answer([.null]))?.hasPrefix("  ") == true)
    let text = pages.next(answer([], failure: "a\u{1b}[2J\nb"))
    #expect(text?.unicodeScalars.contains { $0.value < 0x20 } == false)
  }
}
