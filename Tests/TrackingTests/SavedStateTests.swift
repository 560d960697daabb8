import Core
import Records
import Testing

@testable import Tracking

/// Stores outlive programs: any later version reads the state of an earlier one.
@Suite struct SavedStateTests {
  private static let date = """
    {"believed":{"time":"2026-02-02T02:40:00.000Z","held_since":"2026-02-01T00:00:00.000Z",\
    "witnessed":true,"boot":"f3a1c9d2","since_boot_s":7200.5},\
    "refused":["2038-01-01T00:00:00.000Z","2038-01-01T05:00:00.000Z"]}
    """
  private static let visits = """
    {"visits":{"next_id":5}}
    """
  private static let text = """
    {"version":1,\
    "acquisition":{"failures":2,"prediction":{"after_short_pause_s":1.5,"after_long_pause_s":31.5,\
    "warm_start_s":24},"stuck":{"searches":1,"reset":false}},\
    "perception":\(visits),\
    "line_end":{"time":"1769999990000000000","latitude":52,"longitude":5,"accuracy_m":4,\
    "speed_m_s":1.5,"track_deg":null,"altitude_m":null},"line_session":6,\
    "date":\(date),"time":"2026-02-02T02:40:00.000Z","session":7,\
    "session_on":"2026-02-02T02:39:00.000Z","session_ttff_s":3.5,"session_accepted":9,\
    "session_rejected":1}
    """

  private static func saved(_ text: String) -> SavedState? {
    var step = TrackerStep(at: .zero, clock: UTCClock())
    return SavedState(text, &step)
  }

  @Test("every part of a stored state is read, and written again with the same bytes")
  func sameBytes() throws {
    let saved = try #require(Self.saved(Self.text))
    #expect(saved.json.text == Self.text)
    #expect(saved.clock?.text == Self.date)
    #expect(saved.pipeline?.text == Self.visits)
    #expect(saved.lineEnd?.session == 6)
    let session = try #require(saved.interruptedSession)
    #expect(session.id == 7 && session.outcome == .interrupted)
    #expect(session.on == ISO8601.parse("2026-02-02T02:39:00Z"))
    #expect(session.off == ISO8601.parse("2026-02-02T02:40:00Z"))
    #expect(session.timeToFirstFix == 3.5)
    #expect(session.fixesAccepted == 9 && session.fixesRejected == 1)
    var acquisition = Acquisition(
      .init(), prediction: .init(hotStart: 1, warmStart: 15, coldStart: 26))
    acquisition.restore(saved.search)
    #expect(acquisition.snapshot.text == saved.search?.text)
  }

  @Test("the clock reads its stored dates, and writes them again with the same bytes")
  func dates() throws {
    var clock = UTCClock()
    clock.restore(try JSONValue(parsing: Self.date))
    #expect(clock.snapshot(at: .zero)?.text == Self.date)
    // A state without dates forgets the accepted date, and keeps the present refusal.
    clock.restore(nil)
    let refused = try #require(clock.snapshot(at: .zero))
    #expect(refused["believed"] == .null && refused["refused"]?.array?.count == 2)
  }

  @Test("without a session its members are left out, and a damaged one is none")
  func noSession() throws {
    let short = #"{"version":1,"acquisition":{},"perception":{}}"#
    let saved = try #require(Self.saved(short))
    #expect(saved.interruptedSession == nil && saved.lineEnd == nil)
    #expect(saved.json.text == short)
    let damaged = #"{"version":1,"session":-1,"session_accepted":9}"#
    #expect(try #require(Self.saved(damaged)).interruptedSession == nil)
    let bare = #"{"version":1,"session":3,"session_on":5,"session_rejected":-2}"#
    #expect(try #require(Self.saved(bare)).interruptedSession?.fixesRejected == 0)
  }

  @Test("a state of another version is not read")
  func otherVersions() {
    for text in ["", "3", "{}", #"{"version":2}"#, #"{"version":"1"}"#] {
      var step = TrackerStep(at: .zero, clock: UTCClock())
      #expect(SavedState(text, &step) == nil)
      let isSaid = step.effects.contains { if case .log = $0 { true } else { false } }
      #expect(isSaid)
    }
  }
}
