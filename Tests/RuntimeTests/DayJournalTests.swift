import Core
import GNSS
import Records
import Testing

@testable import Runtime

/// What the journal reports of a day.
@Suite struct DayJournalTests {
  /// 2026-05-01T12:00:00Z
  private static let noon = UTCInstant(seconds: 1_777_636_800)

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private static func visit(
    _ id: Int64, from arrival: Seconds, to departure: TimeEstimate? = nil
  ) -> Visit {
    var visit = Visit(
      id: id, arrival: TimeEstimate(exactly: noon + arrival), departure: departure,
      position: Coordinate(latitude: 52, longitude: 5), accuracy: 3, confidence: 0.9, locations: 9)
    visit.destination = 4
    return visit
  }

  private static let fix: Fix = {
    var fix = Fix(received: .zero + 31)
    fix.horizontalError = 4
    return fix
  }()

  @Test("the first fix is logged once, with time and accuracy, and again after a silence")
  func firstFix() {
    var journal = DayJournal()
    journal.started(in: nil, at: .zero)
    let first = journal.accepted(Self.fix, at: at(31), date: Self.noon)
    #expect(first?.kind == "first-fix")
    #expect(
      first?.reason
        == "first fix at 2026-05-01T12:00:00Z, accurate to 4 m, 31 s after the start")
    #expect(journal.accepted(Self.fix, at: at(32), date: Self.noon) == nil)
    journal.started(in: nil, at: at(50))  // New settings.
    #expect(journal.receiver(isMissing: true, at: at(100)) == nil)
    #expect(journal.receiver(isMissing: true, at: at(110)) == nil)
    let again = journal.receiver(isMissing: false, at: at(820))
    #expect(again?.reason == "the receiver sends again, after 12 min")
    #expect(journal.receiver(isMissing: false, at: at(830)) == nil)
    #expect(
      journal.accepted(Self.fix, at: at(840), date: Self.noon)?.reason
        == "first fix at 2026-05-01T12:00:00Z, accurate to 4 m")
  }

  @Test("arrivals and departures are logged once each, with the user's names and the unknowns")
  func visits() {
    var journal = DayJournal()
    let came = journal.stored(Self.visit(1, from: 0), label: "Home")
    #expect(came?.kind == "arrived" && came?.reason == "at Home, at 2026-05-01T12:00Z")
    #expect(journal.stored(Self.visit(1, from: 0), label: "Home") == nil)
    let left = TimeEstimate(
      estimate: Self.noon + 7500, earliest: Self.noon + 3600, latest: Self.noon + 7500)
    let gone = journal.stored(Self.visit(1, from: 0, to: left), label: nil)
    #expect(gone?.kind == "departed")
    #expect(
      gone?.reason
        == "from destination 4, between 2026-05-01T13:00Z and 2026-05-01T14:05Z, after 2 h 05 min")
    #expect(journal.stored(Self.visit(1, from: 0, to: left), label: nil) == nil)
    #expect(journal.stored(Self.visit(1, from: 0), label: "Home")?.kind == "stayed")
    #expect(journal.withdrawn(2) == nil)
    #expect(journal.withdrawn(1)?.kind == "visit-withdrawn")
  }

  @Test("a visit that continues over a restart is not logged as an arrival") func restarted() {
    var journal = DayJournal()
    journal.started(in: Self.visit(7, from: 0), at: .zero)
    #expect(journal.stored(Self.visit(7, from: 0), label: nil) == nil)
    #expect(journal.stored(Self.visit(8, from: 900), label: nil)?.kind == "arrived")
  }
}

/// systemd.io/JOURNAL_NATIVE_PROTOCOL
@Suite struct JournalSocketTests {
  @Test("a message has its kind and priority as fields, and may have several lines")
  func datagram() {
    let logEvent = LogEvent("store-failed", "a\nb", level: .warning)
    let bytes = JournalSocket.datagram("m", logEvent)
    let length: [UInt8] = [3, 0, 0, 0, 0, 0, 0, 0]
    let expected =
      Array("MESSAGE=m\nPRIORITY=4\nSYSLOG_IDENTIFIER=godwit\nGODWIT_KIND=store-failed\n".utf8)
      + Array("GODWIT_REASON\n".utf8) + length + Array("a\nb\n".utf8)
    #expect(bytes == expected)
  }

  @Test("the journal is used only where standard error is the journal's")
  func onlyTheJournal() {
    #expect(JournalSocket.beside(2, stream: nil) == nil)
    #expect(JournalSocket.beside(2, stream: "1:2") == nil)
    #expect(JournalSocket.beside(-1, stream: "") == nil)
  }
}
