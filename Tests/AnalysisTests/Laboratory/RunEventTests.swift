import Core
import Testing

@testable import Analysis

/// Events that a daemon reports while a run is recorded.
@Suite struct RunEventTests {
  @Test("an event is unchanged when written and read again")
  func roundTrip() throws {
    let kinds: [RunEvent.Kind] = [
      .receiver(state: "tracking"), .receiver(state: nil), .fix, .visit(id: 7), .end,
    ]
    for kind in kinds {
      let event = RunEvent(kind, at: .zero + 12.25)
      #expect(RunEvent(event.json) == event)
    }
  }

  @Test(
    "a line without use or time is not an event",
    arguments: [
      #"{}"#, #"{"event":"fix"}"#, #"{"event":"fix","boottime_s":-1}"#,
      #"{"event":"fix","boottime_s":1e99}"#, #"{"event":"decision","boottime_s":1}"#,
      #"{"event":"visit","boottime_s":1}"#, #"[1]"#, #"{"event":"session","boottime_s":1}"#,
    ])
  func useless(line: String) throws {
    #expect(RunEvent(try JSONValue(parsing: line)) == nil)
  }

  @Test("a truncated file yields its complete events; names are short and printable")
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

  @Test("a search is the start that a session reports, not every state change")
  func searches() throws {
    func session(_ time: Double, _ id: Int, _ rest: String) throws -> RunEvent {
      try #require(
        RunEvent(
          try JSONValue(
            parsing: #"{"event":"session","boottime_s":\#(time),"session":{"id":\#(id),\#(rest)}}"#)
        ))
    }
    let found = #""outcome":"open","ttff_s":30,"fixes_accepted":1"#
    let events = RunEvents([
      try session(30, 1, found), try session(50, 1, found.replacing("open", with: "stopped")),
      try session(70, 2, #""outcome":"no fix","ttff_s":null,"fixes_accepted":0"#),
      // It went on with a fix, or did not execute a restart command.
      try session(90, 3, #""outcome":"stopped","ttff_s":null,"fixes_accepted":80"#),
      RunEvent(.receiver(state: "acquiring"), at: .zero + 100),
      RunEvent(.receiver(state: "tracking"), at: .zero + 101),
    ])
    #expect(events.searches(from: .zero, to: .zero + 200) == [.found(30), .gaveUp])
    #expect(events.searches(from: .zero + 80, to: .zero + 200) == [])
    #expect(!events.isWhole)
  }
}
