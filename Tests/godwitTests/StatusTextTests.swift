import Core
import Testing

@testable import godwit

@Suite struct StatusTextTests {
  @Test("no answer of the daemon controls the terminal")
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

  @Test("lost records are shown, and the reason for a missing date")
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
    #expect(lossy.hasSuffix("store      s, 100 records discarded"))
    #expect(lossy.contains("\ndate       the kernel does not tell\n"))
  }

  @Test("each source is shown with its state, including a broken wire")
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
        "sources    motion not trusted (confirmed 12, contradicted 3, reported 25 h 00 min ago), "
          + "network trusted (confirmed 12, contradicted 3, no report yet)"))
    #expect(!StatusCommand.text(.object([("sources", .array([]))])).contains("sources"))
  }

  @Test("a fault of the radio replaces the reception")
  func beacons() {
    func text(_ failure: JSONValue) -> String {
      StatusCommand.text(
        .object([
          (
            "beacons",
            .object([
              ("failure", failure), ("places", .number(2)),
              ("inside", .array([.string("Kitchen")])),
              ("nearest", .object([("name", .string("Kitchen"))])),
              ("listening", .bool(true)), ("method", .string("monitors")),
            ])
          )
        ]))
    }
    #expect(
      text(.null).contains("beacons    at Kitchen, beacons of 1 of 2 places in range, monitors"))
    let hindered = text(.string("the adapter hci0 is switched off"))
    #expect(hindered.contains("beacons    not received: the adapter hci0 is switched off"))
    #expect(!hindered.contains("in range"))
  }

  @Test("the daemon's unsent data is shown if there is any")
  func theDaemonsLine() {
    func text(_ messages: Double) -> String {
      StatusCommand.text(
        .object([
          ("service", .object([("wakeups", .number(7)), ("dropped_messages", .number(messages))]))
        ]))
    }
    #expect(text(0).hasSuffix("daemon     7 wake-ups"))
    #expect(text(3).hasSuffix("daemon     7 wake-ups, 3 dropped log messages"))
  }

  @Test("a coarse location is shown if it is newer than the fix") func coarse() {
    func text(_ age: Double) -> String {
      func place(_ latitude: Double, _ accuracy: Double, _ age: Double) -> JSONValue {
        .object([
          ("lat", .number(latitude)), ("lon", .number(5)), ("accuracy_m", .number(accuracy)),
          ("age_s", .number(age)),
        ])
      }
      return StatusCommand.text(
        .object([("fix", place(52, 5, 200)), ("coarse", place(52.1, 2500, age))]))
    }
    #expect(text(10).contains("coarse     52.10000, 5.00000 ± 2500 m, 10 s ago\n"))
    #expect(!text(300).contains("coarse"))
  }

  @Test("the page shows the board's position, in words with units") func position() {
    let fix = JSONValue.object([
      ("lat", .number(52.0907)), ("lon", .number(5.1214)), ("accuracy_m", .number(3.6)),
      ("age_s", .number(200)), ("time", .string("2026-05-04T07:12:02Z")),
      ("speed_m_s", .number(8.02)), ("course_deg", .number(33.1)),
      ("satellites_used", .number(9)), ("satellites_in_view", .number(14)),
      ("hdop", .number(0.92)), ("distance_to_home_m", .number(2340)),
    ])
    let visit = JSONValue.object([
      ("arrival", .string("2026-05-04T07:12:02Z")), ("destination_id", .number(4)),
      ("label", .string("Home")),
    ])
    let local = LocalTime.text(UTCInstant(seconds: 1_777_878_722))
    let text = StatusCommand.text(
      .object([
        ("fix", fix), ("visit", visit), ("next_wake_in_s", .number(52)),
        ("next_wake", .string("2026-05-04T07:12:02Z")), ("gnss", .string("off")),
        ("gnss_drawn", .string("tracking")),
      ]))
    #expect(
      text.contains(
        "position   52.09070, 5.12140 ± 4 m, 3 min ago (\(local)), 8.0 m/s towards 33°, "
          + "9 of 14 satellites, HDOP 0.9, 2.3 km from home\n"))
    #expect(text.contains("visit      at Home since \(local)\n"))
    #expect(text.contains("next wake  in 52 s (\(local))\n"))
    #expect(text.contains("gnss       off, but the receiver is on\n"))
  }
}
