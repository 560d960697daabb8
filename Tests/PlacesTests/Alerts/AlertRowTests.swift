import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Rows of the table of alerts, which any program may write.
@Suite struct AlertRowTests {
  private static func row(_ kind: String, _ change: (inout StoredAlert) -> Void = { _ in })
    -> StoredAlert
  {
    var row = StoredAlert(id: 3)
    row.name = "name"
    row.kind = kind
    change(&row)
    return row
  }

  private static func read(_ row: StoredAlert) throws -> Alert {
    try Alert(row, local: .utc) { $0 == "Europe/Berlin" ? .utc : nil }
  }

  @Test("omitted values have a default") func defaults() throws {
    let dwell = try Self.read(Self.row("dwell"))
    #expect(dwell.rule == .dwell(.all, 600) && dwell.resendPause == 300 && !dwell.isOnce)
    let anchor = try Self.read(Self.row("anchor"))
    #expect(anchor.rule == .anchor(Guard(radius: 40, grace: 60)))
    let near = try Self.read(Self.row("near") { $0.place = "Home" })
    #expect(near.rule == .near(.named("Home"), 200))
    let tagged = try Self.read(Self.row("enter") { $0.tag = "shop" })
    #expect(tagged.rule == .enter(.tagged("shop")))
  }

  @Test("the traits of a kind are those of its rule", arguments: AlertKind.allCases)
  func traits(kind: AlertKind) throws {
    let row = Self.row(kind.rawValue) {
      $0.place = "Home"
      if kind.hasDeadline { $0.schedule = "DTSTART:20260101T080000Z" }
    }
    let rule = try Self.read(row).rule
    #expect(rule.kind == kind)
    #expect((rule.places != nil) == kind.watchesPlaces)
    #expect((rule.guarding != nil) == kind.needsArming)
  }

  private struct Wrong: Sendable, CustomTestStringConvertible {
    let part: String
    let row: StoredAlert
    var testDescription: String { part }
  }

  private static let wrong: [Wrong] = [
    Wrong(part: "kind", row: row("arrive")),
    Wrong(part: "kind", row: StoredAlert(id: 1)),
    Wrong(part: "name", row: row("enter") { $0.name = nil }),
    Wrong(part: "name", row: row("enter") { $0.name = String(repeating: "n", count: 201) }),
    Wrong(part: "stay_s", row: row("dwell") { $0.stay = -1 }),
    Wrong(part: "distance_m", row: row("near") { $0.distance = Metres(.nan) }),
    Wrong(part: "radius_m", row: row("moved") { $0.radius = 1e9 }),
    Wrong(part: "grace_s", row: row("anchor") { $0.grace = 1e9 }),
    Wrong(part: "accuracy_m", row: row("enter") { $0.accuracy = 0 }),
    Wrong(part: "resend_pause_s", row: row("enter") { $0.resendPause = -5 }),
    Wrong(part: "armed_by", row: row("moved") { $0.armedBy = "moon" }),
    Wrong(part: "centre_latitude_deg", row: row("anchor") { $0.centreLatitude = 5 }),
    Wrong(
      part: "centre_latitude_deg",
      row: row("anchor") {
        $0.centreLatitude = 95
        $0.centreLongitude = 5
      }),
    Wrong(part: "schedule", row: row("enter") { $0.schedule = "RRULE:FREQ=DAILY" }),
    Wrong(
      part: "schedule",
      row: row("enter") { $0.schedule = "DTSTART;TZID=Moon/Base:20260101T080000" }),
    Wrong(part: "schedule", row: row("not-there-by") { $0.place = "Home" }),
    Wrong(part: "schedule", row: row("leave") { $0.schedule = "DTSTART:20260101T080000Z" }),
    Wrong(
      part: "schedule",
      row: row("moved") {
        $0.armedBy = "schedule"
        $0.schedule = "DTSTART:20260101T080000Z\r\nDURATION:PT0S"
      }),
    Wrong(
      part: "place", row: row("not-back-by") { $0.schedule = "DTSTART:20260101T080000Z" }),
    Wrong(part: "schedule", row: row("moved") { $0.armedBy = "schedule" }),
  ]

  @Test("a fault is reported with its column", arguments: wrong)
  private func refused(_ one: Wrong) {
    do {
      let alert = try Self.read(one.row)
      Issue.record("\(alert)")
    } catch let error as AlertError {
      #expect(error.part == one.part && !error.reason.isEmpty)
    } catch {
      Issue.record("\(error)")
    }
  }

  private static let told: [(row: StoredAlert, message: String)] = [
    (
      row("arrive"),
      "kind: it must be one of enter, leave, dwell, near, outside, not-there-by, not-back-by, "
        + "moved, "
        + "anchor, changed"
    ),
    (
      row("enter") { $0.name = "" },
      "name: it is empty: set one, for the notices"
    ),
    (
      row("enter") { $0.name = "a\u{1B}[31m" },
      "name: it has a line break or another control character: remove it"
    ),
    (
      row("enter") { $0.name = String(repeating: "n", count: 201) },
      "name: it is longer than 200 bytes: shorten it"
    ),
    (row("dwell") { $0.stay = 0 }, "stay_s: 0.0 is out of range: 1 to 2592000 s"),
    (row("near") { $0.distance = 2e6 }, "distance_m: 2000000.0 is out of range: 1 to 1000000 m"),
    (row("moved") { $0.radius = 5 }, "radius_m: 5.0 is out of range: 10 to 100000 m"),
    (row("moved") { $0.armedBy = "moon" }, "armed_by: it must be one of hand, schedule, ignition"),
    (
      row("anchor") { $0.centreLongitude = 5 },
      "centre_latitude_deg: latitude and longitude belong together: set both or none"
    ),
    (
      row("moved") { $0.armedBy = "schedule" },
      "schedule: it is empty: set the times, as lines of iCalendar"
    ),
    (row("not-there-by"), "place: it is empty: set the place at which the board must be"),
  ]

  @Test("the message states the fault and the accepted values") func messages() {
    for (row, message) in Self.told {
      #expect(throws: AlertError.self) { try Self.read(row) }
      do {
        _ = try Self.read(row)
      } catch {
        #expect("\(error)" == message)
      }
    }
  }
}
