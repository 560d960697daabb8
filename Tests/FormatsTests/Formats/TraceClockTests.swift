import Formats
import Core
import TestSupport
import Testing

/// Impossible times, and the report if only some times name a zone.
@Suite struct TraceClockTests {
  private static let now = UTCInstant(seconds: 1_780_000_000)

  private func sentences(from start: UTCInstant, now: UTCInstant?) throws -> [String] {
    var ordering = TraceOrdering(now: now)
    let position = Coordinate(latitude: 52.1, longitude: 5.1)
    for index in 0..<60 {
      let time = start + Seconds(Double(index) * 30)
      let row = TraceRow(TraceSample(time: time, position: position), line: index + 2)
      ordering.take([row], of: nil)
    }
    _ = try ordering.finish(nil, of: nil)
    return ordering.findings.sentences(nil)
  }

  @Test("times ahead of the machine's clock are reported with their span") func future() throws {
    for (ahead, words) in [
      (Seconds.days(3), "3 days ahead"), (.days(365 * 19 + 6), "19 years ahead"),
      (.days(366), "1 year ahead"), (.days(40_000), "109 years ahead"),
    ] {
      let told = try sentences(from: Self.now + ahead, now: Self.now)
      #expect(told.count == 1 && told[0].hasPrefix("its times go from "), "\(told)")
      #expect(told.first?.hasSuffix("of this machine's clock") == true)
      #expect(told.first?.contains(words) == true, "\(told)")
      #expect(try sentences(from: Self.now + ahead, now: nil).isEmpty)
    }
    for start in [Self.now, Self.now + 80_000, Self.now - .days(9000)] {
      #expect(try sentences(from: start, now: Self.now).isEmpty)
    }
  }

  @Test("times before positions were ever recorded are reported") func past() throws {
    let told = try sentences(from: UTCInstant(seconds: 800_000_000), now: nil)
    #expect(told.count == 1 && told[0].contains("from 1995-05-09T06:13:20Z to 1995-05-09"))
    #expect(told.first?.contains("before 2000") == true)
    #expect(try sentences(from: UTCInstant(seconds: 1_000_000_000), now: nil).isEmpty)
  }

  @Test("jumping positions may come from mixed times with and without a zone")
  func mixedZones() throws {
    func table(_ zone: (Int) -> String) -> String {
      "time,lat,lon\n"
        + (0..<120).map {
          let seconds = $0 < 70 ? "" : ":30"
          let minute = $0 % 60
          let time = "\(8 + $0 / 60):\(minute < 10 ? "0" : "")\(minute)\(seconds)"
          return "2026-05-01T0\(time)\(zone($0)),\($0 % 2 == 0 ? 52.1 : 53.1),5.1\n"
        }.joined()
    }
    let mixed = thrown(TraceRefusal.self) { try TraceRun.order(table { $0 < 60 ? "Z" : "" }) }
    #expect(mixed?.description.contains("times without a zone (the first: line 62)") == true)
    for zone in ["Z", ""] {
      let refusal = thrown(TraceRefusal.self) { try TraceRun.order(table { _ in zone }) }
      #expect(refusal?.description.hasSuffix("separate them first") == true)
    }
  }

  @Test("one unreadable value counts as one") func oneValue() throws {
    let rows = (0..<20).map { "\(1_777_622_400 + $0 * 30),52.1,5.1,\($0 == 5 ? "x" : "3")\n" }
    let told = try TraceRun.order("time,lat,lon,ele\n" + rows.joined()).sentences
    #expect(told.contains("of 1 position, which is used without them, the first: line 7"))
  }
}
