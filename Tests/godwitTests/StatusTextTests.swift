import Notation
import Testing

@testable import godwit

@Suite struct StatusTextTests {
  @Test("nothing that the daemon answers commands the terminal")
  func ordersAreShown() {
    let hostile = JSONValue.string("a\u{1b}]0;x\u{7}\nstate  forged\u{9b}2J")
    let status = JSONValue.object([
      ("state", hostile), ("policy", hostile), ("gnss", hostile), ("reason", hostile),
      ("next_wake", hostile), ("current_mA", hostile),
      ("fixes", .object([("rejected", .object([("\u{1b}[2J", .number(1))]))])),
      ("receiver", .object([("name", hostile), ("failure", hostile)])),
      ("store", .object([("name", hostile), ("failure", hostile)])),
    ])
    let text = StatusCommand.text(status)
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x9b })
    #expect(!text.contains("\nstate  forged"))
  }

  @Test("records that were given up are shown, and what the date lacks")
  func lossesAndShortcomings() {
    func text(_ records: Double, _ warning: JSONValue) -> String {
      StatusCommand.text(
        .object([
          ("store", .object([("name", .string("s")), ("dropped_records", .number(records))])),
          ("date", .object([("warning", warning)])),
        ]))
    }
    #expect(text(0, .null).hasSuffix("store      s") && !text(0, .null).contains("date"))
    let lossy = text(100, .string("the kernel does not tell"))
    #expect(lossy.hasSuffix("store      s, 100 records given up"))
    #expect(lossy.contains("\ndate       the kernel does not tell\n"))
  }

  @Test("each source is shown with what became of it, a broken wire among them")
  func sources() {
    func source(_ name: String, _ trusted: Bool, _ heard: JSONValue) -> JSONValue {
      .object([
        ("name", .string(name)), ("trusted", .bool(trusted)), ("confirmed", .number(12)),
        ("contradicted", .number(3)), ("heard_ago_s", heard),
      ])
    }
    let text = StatusCommand.text(
      .object([
        (
          "sources",
          .array([source("motion", false, .number(90_000)), source("network", true, .null)])
        )
      ]))
    #expect(
      text.contains(
        "sources    motion not trusted (confirmed 12, contradicted 3, heard 90000.0 s ago), "
          + "network trusted (confirmed 12, contradicted 3, never heard)"))
    #expect(!StatusCommand.text(.object([("sources", .array([]))])).contains("sources"))
  }

  @Test("what the daemon could not get rid of is shown when there is something")
  func theDaemonsLine() {
    func text(_ messages: Double) -> String {
      StatusCommand.text(
        .object([
          ("service", .object([("wakeups", .number(7)), ("dropped_messages", .number(messages))]))
        ]))
    }
    #expect(text(0).hasSuffix("daemon     7 wake-ups"))
    #expect(text(3).hasSuffix("daemon     7 wake-ups, 3 log messages dropped"))
  }
}
