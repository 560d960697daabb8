import Core
import Records
import Testing

@testable import VirtualDevice

@Suite struct VirtualSourcesTests {
  private func trace() -> TraceTruth {
    // A ride, a stay of two hours with the recorder running, the ride home, a night without
    // records.
    let samples = (0..<10_000).map { second in
      let home = min(second, 9900) - 8100
      let metres = second < 900 ? second * 6 : second < 8100 ? 5400 : 5400 - home * 2
      return TruthSample(
        time: morning + Seconds(Double(second < 9900 ? second : second + 30_000)),
        position: Coordinate(latitude: Degrees(52 + Double(metres) / 111_195), longitude: 5),
        speed: second < 900 ? 6 : second < 8100 ? 0 : second < 9900 ? 2 : 0,
        accuracy: (900..<8100).contains(second) ? 150 : 5)
    }
    return TraceTruth(samples)!
  }

  private func lines(_ run: SourceRun) -> [String] {
    run.told.map { "\($0.at.nanoseconds) \($0.source) \($0.evidence)" }
  }

  @Test("the evidence follows from the truth and the seed, whatever the receiver does")
  func truthAloneDecides() throws {
    let all = Set(SourceKind.allCases)
    let off = lines(try SourceRun(trace(), all))
    #expect(off.count > 100)
    let again = lines(try SourceRun(trace(), all))
    let on = lines(try SourceRun(trace(), all, receiverIsOn: true))
    let another = lines(try SourceRun(trace(), all, seed: 2))
    #expect(off == again && off == on && off != another)
    // One source does not depend on another, or on scans.
    let motion = lines(try SourceRun(trace(), [.motion]))
    #expect(motion == off.filter { $0.contains("motion") })
    let scanning = lines(try SourceRun(trace(), all, scanEvery: 60))
    #expect(off == scanning.filter { !$0.contains("accessPoints") })
  }

  @Test("a board's evidence equals that of its sources alone") func boardsTellAll() throws {
    for life in Life.all {
      let truth = PlannedTruth(life.itinerary(seed: 9), from: morning, days: 1, seed: 9)
      let board = try SourceRun(truth, Set(SourceKind.allCases), seed: 9)
      let alone = SourceRun(life, days: 1, seed: 9)
      let end = board.end
      let told = alone.told.filter { $0.at <= end }.map { "\($0.at.nanoseconds) \($0.evidence)" }
      #expect(told.count > 20)
      let heard = Set(board.told.map { "\($0.at.nanoseconds) \($0.evidence)" })
      #expect(heard.symmetricDifference(told).sorted() == [], "\(life.name)")
    }
  }

  @Test("the receiver's output is the same with and without sources", arguments: [false, true])
  func receiverDoesNotNotice(isTrace: Bool) throws {
    func bytes(_ kinds: Set<SourceKind>) throws -> [UInt8] {
      let truth: any GroundTruth =
        isTrace ? trace() : PlannedTruth(DayPlan.townDweller, from: morning, days: 1, seed: 3)
      let board = VirtualBoard(
        groundTruth: truth, settings: .init(coarse: nil, sources: kinds))
      try board.receiver.open()
      var bytes: [UInt8] = []
      for round in 0..<20 {
        try board.powerSwitch.set(.supply, active: round % 2 == 0)
        let end = BootInstant.zero + .minutes(30) * Double(round + 1)
        while let next = board.nextEvent, next <= end, !board.isOver {
          board.advance(to: next)
          bytes += try board.receiver.read(limit: .max)
        }
        board.advance(to: end)
      }
      return bytes
    }
    let without = try bytes([])
    #expect(without.count > 100_000)
    #expect(try without == bytes(Set(SourceKind.allCases)))
  }

  @Test("a trace is divided into movements and rests") func spellsOfATrace() throws {
    let run = try SourceRun(trace(), [.network])
    let whole = run.whole.filter { $0.ends - $0.begins > 1 }
    #expect(whole.map(\.kind) == [.moving, .resting, .moving, .resting])
    for (spell, next) in zip(run.spells, run.spells.dropFirst()) {
      #expect(spell.ends == next.begins)
      #expect(spell.duration <= .minutes(15))
    }
    let (first, last) = try (#require(run.networks.first), #require(run.networks.last))
    #expect(first.name == nil && last.name == nil)
  }

  @Test("readers of a trace at different positions do not affect each other")
  func twoReaders() throws {
    let alone = trace()
    let behind = trace()
    let ahead = behind.another()
    for second in stride(from: 0, to: 40_500, by: 7) {
      let time = morning + Seconds(Double(second))
      let further = ahead.state(at: time + 3000)
      let state = behind.state(at: time)
      #expect(state == alone.state(at: time))
      if further != nil { #expect(ahead.start == behind.start) }
    }
  }

  @Test("scans and watching cost what the data sheets say") func energy() throws {
    let truth = StandingTruth(reception: .indoors)
    let board = VirtualBoard(
      groundTruth: truth, settings: .init(coarse: nil, sources: [.motion, .wifi]))
    let wifi = try #require(board.sources.first { $0.name == "wifi" })
    for hour in 1...24 {
      try wifi.request()
      // Queried again before it has answered, it does not scan twice.
      try wifi.request()
      board.advance(to: .zero + .hours(Double(hour)))
      #expect(try wifi.poll() != nil)
    }
    let scans = 24 * 0.0841 * 3.3 * 2.5
    let watching = 4e-6 * 3.3 * 86_400
    #expect(abs(board.sourcesEnergy.value - scans - watching) < 1e-9)
    #expect(wifi.questions == 24)
    let none = VirtualBoard(groundTruth: truth, settings: .init(coarse: nil))
    none.advance(to: .zero + .days(1))
    #expect(none.sourcesEnergy == 0 && none.sources.isEmpty)
  }
}
