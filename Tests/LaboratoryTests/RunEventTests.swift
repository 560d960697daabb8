import Notation
import Quantities
import Testing

@testable import Laboratory

/// What a daemon tells while a run is recorded.
@Suite struct RunEventTests {
  @Test("an event is the same when it was written and read again")
  func roundTrip() throws {
    let kinds: [RunEvent.Kind] = [
      .receiver(state: "tracking"), .receiver(state: nil), .fix, .visit(id: 7),
    ]
    for kind in kinds {
      let event = RunEvent(kind, at: .zero + 12.25)
      #expect(RunEvent(event.json) == event)
    }
  }

  @Test(
    "what says nothing of use, or not when, is no event",
    arguments: [
      #"{}"#, #"{"event":"fix"}"#, #"{"event":"fix","boottime_s":-1}"#,
      #"{"event":"fix","boottime_s":1e99}"#, #"{"event":"decision","boottime_s":1}"#,
      #"{"event":"visit","boottime_s":1}"#, #"[1]"#,
    ])
  func useless(line: String) throws {
    #expect(RunEvent(try JSONValue(parsing: line)) == nil)
  }

  @Test("a file that was cut off has what is whole of it; names are short and printable")
  func cutOff() throws {
    let long = String(repeating: "x", count: 100)
    let text = """
      {"event":"status","boottime_s":1,"receiver":{"state":"off\\u001b[1m"}}
      {"event":"receiver","boottime_s":3,"receiver":{"state":"\(long)"}}
      {"event":"receiver","boottime_s":2,"receiver":{"state":"acquiring"}}
      {"event":"fix","boott
      """
    let changes = RunEvents(file: Array(text.utf8)).changes
    #expect(changes.count == 3 && changes[1].state == "acquiring")
    #expect(changes[0].state?.contains("\u{1b}") == false)
    #expect(changes[2].state?.count == 32)
  }

  @Test("searches end with a fix, in vain, or nobody knows how") func searches() {
    let states: [(Double, String?)] = [
      (0, "acquiring"), (10, "acquiring"), (30, "tracking"), (50, "off"), (60, "acquiring"),
      (90, "off"), (100, "acquiring"), (110, nil), (120, "acquiring"),
    ]
    let events = RunEvents(
      states.map { RunEvent(.receiver(state: $1), at: .zero + Seconds($0)) })
    #expect(events.searches(from: .zero, to: .zero + 200) == [.found(30), .gaveUp])
    #expect(events.searches(from: .zero + 5, to: .zero + 80) == [])
  }
}
