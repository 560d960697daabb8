import Formats
import Core
import TestSupport
import Testing

/// Twenty minutes at A, five in motion, twenty at B, one row every half minute.
@Suite struct TraceOrderingTests {
  private static let start = UTCInstant(seconds: 1_777_622_400)

  private static func row(_ index: Int, latitude: Double? = nil, of individual: UInt16? = nil)
    -> TraceRow
  {
    let way = min(max(Double(index) - 40, 0), 10) / 1000
    return TraceRow(
      TraceSample(
        time: start + Seconds(Double(index) * 30),
        position: Coordinate(latitude: Degrees(latitude ?? 52.1 + way), longitude: 5.1)),
      line: index + 2, individual: individual)
  }

  private static let rows = (0..<90).map { row($0) }

  /// Adds the lines that a file in this order has.
  private static func numbered(_ rows: [TraceRow]) -> [TraceRow] {
    rows.enumerated().map {
      TraceRow($1.sample, line: $0 + 2, individual: $1.individual)
    }
  }

  private func order(
    _ rows: [TraceRow], mostKept: Int = TraceOrdering.mostSorted
  ) throws(TraceRefusal) -> (samples: [TraceSample]?, findings: TraceFindings) {
    var ordering = TraceOrdering(mostKept: mostKept)
    for row in Self.numbered(rows) { ordering.take([row], of: nil) }
    let kept = try ordering.finish(nil, of: nil)
    return (kept?.map(\.sample), ordering.findings)
  }

  @Test("a trace in order stays unchanged, to the last bit") func whatIsInOrderStays() throws {
    let (samples, findings) = try order(Self.rows)
    #expect(samples == Self.rows.map(\.sample))
    #expect(findings.sentences(nil).isEmpty)
    #expect(findings.span.first == Self.start && findings.span.holes == 0)
  }

  @Test("two positions at one time are both kept") func sameTimes() throws {
    var rows = Self.rows
    rows.insert(Self.row(20, latitude: 52.2), at: 21)
    #expect(try order(rows).samples == rows.map(\.sample))
  }

  @Test("a consecutive duplicate is counted, also in a file that is read twice")
  func repeatsInOrder() throws {
    let twice = Self.rows.flatMap { [$0, $0] }
    let (samples, findings) = try order(twice)
    #expect(samples == Self.rows.map(\.sample))
    #expect(findings.repeats.count == 90 && findings.positions == 90)
    let sentence = "left out 90 positions that are duplicates, the first: line 3"
    #expect(findings.sentences(nil) == [sentence])
    let long = try order(twice, mostKept: 50)
    var rereading = TraceRereading(individual: nil, long.findings)
    var again: [TraceSample] = []
    for row in twice { rereading.take([row], of: nil, into: &again) }
    rereading.finish(into: &again)
    #expect(again == Self.rows.map(\.sample) && long.findings.repeats.count == 90)
  }

  @Test("rows out of order are sorted, and duplicates left out")
  func disorderIsSorted() throws {
    let rows = Self.rows
    let cases: [(rows: [TraceRow], disordered: Int, first: Int?, repeats: Int)] = [
      (rows.reversed(), 89, 3, 0),
      (Array(rows[50...] + rows[..<50]), 1, 42, 0),
      (rows + rows, 1, 92, 90),
      (Array(rows[..<30]) + Array(rows[..<60]) + rows, 2, 32, 90),
    ]
    for (given, disordered, first, repeats) in cases {
      let (samples, findings) = try order(given)
      #expect(samples == rows.map(\.sample))
      #expect(findings.disorder.count == disordered && findings.repeats.count == repeats)
      #expect(findings.disorder.first?.line == first)
      #expect(findings.sentences(nil).count == (disordered > 0 ? 1 : 0) + (repeats > 0 ? 1 : 0))
    }
  }

  @Test("a wrong date is reported with its line") func wrongDates() throws {
    var rows = Self.rows
    rows[45].sample.time = UTCInstant(seconds: 2_177_452_800)
    let (samples, findings) = try order(rows)
    #expect(samples?.count == 89)
    let sentence = try #require(findings.sentences(nil).first)
    #expect(sentence.contains("1 wrong date") && sentence.contains("line 47, 2039-01-01T00:00:00Z"))
  }

  @Test("delayed rows are placed where they fit by time and place") func delayedRows() throws {
    let late = Array(Self.rows[10..<13])
    let rest = Array(Self.rows[..<10] + Self.rows[13...80])
    let (samples, findings) = try order(rest + late + Array(Self.rows[81...]))
    #expect(samples == Self.rows.map(\.sample))
    #expect(findings.wrongDates.count == 0 && findings.positions == 90)
    #expect(findings.disorder.first?.line == 80)
    var elsewhere = late
    for index in 0..<3 {
      elsewhere[index].sample.position = Coordinate(latitude: 54, longitude: 5.1)
    }
    #expect(try order(rest + elsewhere + Self.rows[81...]).findings.wrongDates.count == 3)
  }

  @Test("a date shifted into a pause is wrong, although it fits there") func datesInPauses()
    throws
  {
    let later = Self.rows[..<40].map { row in
      var row = row
      row.sample.time = row.sample.time + 7200
      return row
    }
    var rows = Array(Self.rows[..<40]) + later
    rows[20].sample.time = rows[20].sample.time + 3600
    #expect(try order(rows).findings.wrongDates.first?.line == 22)
  }

  @Test("a file too large to keep is read again if it is in order, and refused otherwise")
  func longTraces() throws {
    let (samples, findings) = try order(Self.rows, mostKept: 50)
    #expect(samples == nil && findings.positions == 90)
    var rereading = TraceRereading(individual: nil, findings)
    var again: [TraceSample] = []
    for row in Self.rows { rereading.take([row], of: nil, into: &again) }
    rereading.finish(into: &again)
    #expect(again == Self.rows.map(\.sample))
    let refusal = thrown(TraceRefusal.self) { try order(Self.rows.reversed(), mostKept: 50) }
    #expect(refusal?.description.contains("more than 50 positions are not sorted") == true)
  }

  @Test("nearly constant times do not make a trace") func constantTimes() {
    let rows = (0..<150).map { index in
      var row = Self.row(index, latitude: 52 + Double(index) / 10_000)
      row.sample.time = Self.start
      return row
    }
    let refusal = thrown(TraceRefusal.self) { try order(rows) }
    #expect(refusal?.description.contains("150 positions have only 1 time") == true)
  }

  @Test("a hole is reported with its line and length") func holes() throws {
    let later = Self.rows.map { row in
      var row = row
      row.sample.time = row.sample.time + .days(30)
      return row
    }
    let hole = try #require(try order(Self.rows + later).findings.span.longestHole)
    #expect(hole.place == "line 92" && hole.text.hasPrefix("of 29 days from 2026-05-01T08:44:30Z"))
  }

  @Test("if positions contradict speeds, all speeds are left out") func speeds() throws {
    func speeds(_ speed: (Int) -> Double) throws -> (Set<Double?>, TraceRow?) {
      let rows = (0..<90).map { index in
        var row = Self.row(index)
        row.sample.speed = MetresPerSecond(speed(index))
        return row
      }
      let (samples, findings) = try order(rows)
      return (Set((samples ?? []).map { $0.speed?.value }), findings.wrongSpeeds)
    }
    let constant = try speeds { _ in 55.987 }
    #expect(constant.0 == [nil] && constant.1?.line == 3)
    // In km/h; the positions give 3.7 m/s.
    let tooFast = try speeds { (40..<50).contains($0) ? 13.3 : 0 }
    #expect(tooFast.0 == [nil])
    let right = try speeds { (40..<50).contains($0) ? 3.7 : 0 }
    #expect(right.0 == [3.7, 0] && right.1 == nil)
  }

  @Test("rows dated before the clock was set are skipped, however many there are")
  func unsetClocks() throws {
    for seconds in [0, 315_964_800, 946_684_800.0] {
      let early = (0..<30).map { index in
        var row = Self.row(0)
        row.sample.time = UTCInstant(seconds: seconds + Double(index) * 30)
        return row
      }
      let (before, after) = (Array(Self.rows[..<40]), Array(Self.rows[40...]))
      for rows in [early + Self.rows, before + early + after] {
        let found = try order(rows)
        #expect(found.samples == Self.rows.map(\.sample))
        #expect(found.findings.wrongDates.count == 30)
      }
      #expect(try order(early).samples?.count == 30, "nothing contradicts them")
    }
  }

  @Test("the turn of a year is not mistaken for an unset clock") func turnOfTheYear() throws {
    let rows = Self.rows.map { row in
      var row = row
      row.sample.time = UTCInstant(seconds: 946_684_000 + (row.sample.time - Self.start).value)
      return row
    }
    #expect(try order(rows).findings.wrongDates.count == 0)
  }
}
