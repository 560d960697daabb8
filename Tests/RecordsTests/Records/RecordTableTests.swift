import Core
import Testing

@testable import Records

@Suite struct RecordTableTests {
  static let time = UTCInstant(seconds: 1_780_000_000)
  static let position = Coordinate(latitude: 53, longitude: 6)

  /// One record of each kind with all its values, and one with as few as possible.
  static let records: [any StoredRecord] = [
    TrackPoint(
      location: Location(
        time: time, position: position, accuracy: 4.5, speed: 1.25, track: 90.5, altitude: 12,
        source: .gnss), reason: .shape, session: 7),
    TrackPoint(location: Location(time: time, position: position, accuracy: 30), reason: .coarse),
    visit,
    Visit(
      id: 4, arrival: TimeEstimate(exactly: time), position: position, accuracy: 5, confidence: 0.5,
      locations: 1),
    Destination(
      id: 2, position: position, radius: 18, visits: 3, totalDwell: 4000, label: "home"),
    Destination(id: 3, position: position, radius: 18, visits: 1, totalDwell: 0),
    session, GnssSession(id: 8, on: nil),
    CoarseObservation(
      received: .zero + 90, time: time, position: position, accuracy: 40, accessPoint: "02:00",
      source: "wifi"),
    CoarseObservation(received: .zero, time: nil, position: nil, accuracy: nil, source: "cell"),
    PowerSegment(
      state: .acquiring, start: time, duration: 30, charge: Coulombs(milliampereHours: 2),
      energy: 6, energyUncertainty: 0.25, basis: .measured),
    PowerSegment(
      state: .off, start: time, duration: 30, charge: 0, energy: 0, basis: .modelled),
    TimedLogEvent(LogEvent("gnss-on", "a fix was due", level: .warning), time: time),
    TimedLogEvent(LogEvent("gnss-on", "a fix was due"), time: nil),
  ]

  static let visit: Visit = {
    var visit = Visit(
      id: 3, arrival: TimeEstimate(estimate: time, earliest: time - 60, latest: time + 60),
      departure: TimeEstimate(exactly: time + 90_000), position: position, accuracy: 5,
      confidence: 0.9, locations: 4, destination: 2)
    visit.unobserved = 9000
    visit.isCoarse = true
    visit.gaps = UnobservedPeriods([
      UnobservedPeriod(start: time + 600, end: time + 4200),
      UnobservedPeriod(start: time + 7800, end: time + 13_200),
    ])
    return visit
  }()

  static let session: GnssSession = {
    var session = GnssSession(id: 7, on: time)
    session.timeToFirstFix = 12
    session.off = time + 40
    session.duration = 40
    session.fixesAccepted = 3
    session.fixesRejected = 1
    session.outcome = .fixObtained
    session.charge = Coulombs(milliampereHours: 0.5)
    session.energy = 5
    session.basis = .measured
    session.restart = .warm
    return session
  }()

  @Test("a record comes back as it was written into its columns", arguments: records.indices)
  func roundTrip(index: Int) throws {
    try Self.records[index].requireRoundTrip()
  }

  @Test("of more gaps than the limit the shortest are left out, and invalid text is none")
  func gaps() {
    let all = (0..<60).map { number in
      let start = Self.time + Seconds(Double(number) * 10_000)
      return UnobservedPeriod(start: start, end: start + Seconds(Double(1000 + number)))
    }
    let gaps = UnobservedPeriods(all)
    #expect(gaps.all == Array(all.suffix(UnobservedPeriods.most)))
    #expect(gaps.longest == all.last)
    for text in ["600", "600/", "a/4200", "4200/600", "600/600", "600/4200/9", "1/nan", "1/1e300"] {
      #expect(UnobservedPeriods(text, after: Self.time) == nil, "\(text)")
    }
    let many = (0...UnobservedPeriods.most).map { "\($0 * 9)/\($0 * 9 + 1)" }.joined(separator: " ")
    #expect(UnobservedPeriods(many, after: Self.time) == nil)
    #expect(UnobservedPeriods("", after: Self.time)?.all == [])
  }

  @Test("gaps are stored to the millisecond, and whole seconds of older stores are read")
  func gapText() throws {
    func gap(_ start: Seconds, _ end: Seconds) -> UnobservedPeriod {
      UnobservedPeriod(start: Self.time + start, end: Self.time + end)
    }
    let gaps = UnobservedPeriods([gap(-0.4, 3600.25), gap(7800, 11_400.701), gap(12_000, 12_010)])
    #expect(gaps.text(after: Self.time) == "-0.4/3600.25 7800/11400.701 12000/12010")
    #expect(UnobservedPeriods("-0.4/3600.25 7800/11400.701 12000/12010", after: Self.time) == gaps)
    let old = UnobservedPeriods("600/4200 7800/11400", after: Self.time)
    #expect(old == UnobservedPeriods([gap(600, 4200), gap(7800, 11_400)]))
  }

  @Test("every kind is in the schema once, and those of the first step have samples here")
  func schema() throws {
    let names = Record.schema.flatMap(\.kinds).map { $0.layout.name }
    #expect(Set(names).count == names.count)
    let first = try #require(Record.schema.first).kinds.map { $0.layout.name }
    #expect(Set(Self.records.map { type(of: $0).layout.name }) == Set(first))
    let steps = Record.schema.map(\.name)
    #expect(Set(steps).count == steps.count)
  }

  @Test("each record requests to be stored as itself")
  func request() {
    for row in Self.records {
      guard case .keep(let kept) = row.record.request else {
        Issue.record("\(row) is not kept")
        continue
      }
      #expect(kept.record == row.record)
    }
  }

  @Test("the error for an empty required column names the column")
  func damage() {
    var values = MemoryRow(of: Self.session, id: 1).values
    values[8] = .null
    let row = RowReader(MemoryRow(values: values), GnssSession.layout.positions)
    #expect(throws: DamagedColumn(column: 8)) { try GnssSession(row: row) }
  }

  @Test("a session and a visit are identified by their kind and their id")
  func identity() {
    #expect(GnssSession(id: 8, on: nil).identity == GnssSession(id: 8, on: Self.time).identity)
    #expect(GnssSession(id: 3, on: nil).identity != Self.records[2].identity)
    #expect(Self.records[0].identity == nil)
  }
}
