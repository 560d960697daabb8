import Ports
import Core
import GNSS
import Testing

@testable import VirtualDevice

/// The signals that the virtual receiver reports while it searches, as a decoder reads them.
@Suite struct ReceivedSignalsTests {
  /// Each epoch of one search, from switch-on to the fix or the limit.
  struct Shown {
    var start: StartKind
    var epochs: [Fix] = []
    var hasFix: Bool { epochs.last?.hasPosition == true }

    /// Epochs until that many satellites were tracked; nil if they never were.
    func epochs(until tracked: Int) -> Int? {
      epochs.firstIndex { ($0.signals?.tracked ?? 0) >= tracked }.map { $0 + 1 }
    }
  }

  /// A place in a block with such a penetration; nil if the board's world has none nearby.
  static func place(seed: UInt64, _ suits: (Double) -> Bool) -> Coordinate? {
    let board = VirtualBoard(
      groundTruth: StandingTruth(), settings: .init(coarse: nil, seed: seed))
    for step in 0..<400 {
      let place = Coordinate(latitude: Degrees(53 + Double(step) * 0.001), longitude: 6.5)
      if suits(board.receiver.walls.share(at: place)) { return place }
    }
    return nil
  }

  /// - Parameter pause: off after a first fix and a minute under open sky; nil: a cold start.
  static func search(
    seed: UInt64, under reception: Reception, at place: Coordinate = groningen,
    after pause: Seconds? = nil,
    for limit: Int = 120, language: VirtualReceiverSettings.OutputProtocol = .nmea
  ) throws -> Shown {
    let truth = StandingTruth()
    truth.position = place
    let board = VirtualBoard(
      groundTruth: truth,
      settings: .init(receiver: .init(language: language), coarse: nil, seed: seed))
    try board.receiver.open()
    if let pause {
      _ = try board.timeToFirstFix()
      _ = try board.listen(for: 60)
      try board.powerSwitch.set(.supply, active: false)
      _ = try board.listen(for: pause)
    }
    truth.reception = reception
    try board.powerSwitch.set(.supply, active: true)
    var shown = Shown(start: board.receiver.startKind)
    var decoder = ReceiverDecoder()
    while shown.epochs.count < limit, !shown.hasFix {
      let bytes = try board.listen(for: 1)
      decoder.feed(bytes, at: .zero) { shown.epochs.append($0) }
      decoder.flush(at: .zero) { shown.epochs.append($0) }
    }
    return shown
  }

  static func median(_ values: [Int]) -> Int { values.sorted()[values.count / 2] }

  @Test(
    "every epoch of a search reports the signals, and the fix has four satellites",
    arguments: VirtualReceiverSettings.OutputProtocol.allCases)
  func everyEpochOfASearchTellsOfTheSignals(language: VirtualReceiverSettings.OutputProtocol) throws
  {
    for seed in 1...40 as ClosedRange<UInt64> {
      for (reception, pause) in [(Reception.open, nil), (.street, 600), (.open, 36_000)]
        as [(Reception, Seconds?)]
      {
        let shown = try Self.search(seed: seed, under: reception, after: pause, language: language)
        #expect(shown.hasFix)
        #expect(shown.epochs.allSatisfy { $0.signals != nil })
        let last = try #require(shown.epochs.last?.signals)
        #expect(last.tracked >= 4 && last.fourth > 0 && last.strongest >= last.fourth)
        #expect(last.tracked == shown.epochs.last?.satellitesInView)
      }
    }
  }

  @Test("a hot start tracks strong satellites within two seconds, a warm one within four")
  func hotAndWarmStartsTrackWithinSeconds() throws {
    for (pause, latestFirst, latestFourth) in [(600, 2, 3), (36_000, 4, 7)] as [(Seconds, Int, Int)]
    {
      let shown = try (1...60).map {
        try Self.search(seed: UInt64($0), under: .open, after: pause)
      }
      let kind: StartKind = pause == 600 ? .hot : .warm
      let searches = shown.filter { $0.start == kind }
      #expect(searches.count > 40)
      #expect(searches.allSatisfy { ($0.epochs(until: 1) ?? .max) <= latestFirst })
      #expect(searches.allSatisfy { ($0.epochs(until: 4) ?? .max) <= latestFourth })
    }
  }

  @Test("a cold start finds its first satellite after seconds, and four well before its fix")
  func coldStartsFindTheFirstAfterSeconds() throws {
    let searches = try (1...80).map { try Self.search(seed: UInt64($0), under: .open) }
    #expect(searches.allSatisfy { $0.start == .cold && $0.hasFix })
    let first = searches.compactMap { $0.epochs(until: 1) }
    let fourth = searches.compactMap { $0.epochs(until: 4) }
    #expect((5...12).contains(Self.median(first)) && first.min()! >= 4 && first.max()! <= 18)
    #expect((9...16).contains(Self.median(fourth)))
    for search in searches {
      #expect(Double(search.epochs(until: 4) ?? .max) <= 0.75 * Double(search.epochs.count))
    }
  }

  @Test("signals are strong under open sky, weaker between houses")
  func strengthFollowsTheSky() throws {
    for (reception, range) in [(Reception.open, 40.0...46), (.street, 30.0...38)] {
      let fourth = try (1...60).map {
        try Self.search(seed: UInt64($0), under: reception).epochs.last?.signals?.fourth.value ?? 0
      }
      #expect(range.contains(fourth.sorted()[30]), "\(reception): \(fourth.sorted()[30])")
      #expect(fourth.min()! >= 24)
    }
  }

  @Test("where walls let signals through, a few weak satellites are seen")
  func weakSatellitesThroughWalls() throws {
    var known: [SatelliteReception] = []
    var seen = 0
    for seed in 1...60 as ClosedRange<UInt64> {
      guard let place = Self.place(seed: seed, { $0 > 0.05 }) else { continue }
      let shown = try Self.search(seed: seed, under: .indoors, at: place, after: 600, for: 30)
      known += shown.epochs.compactMap(\.signals)
      if (shown.epochs(until: 1) ?? .max) <= 10 { seen += 1 }
    }
    #expect(seen >= 54, "\(seen) of 60 saw a satellite within ten seconds")
    let tracking = known.filter { $0.tracked > 0 }
    #expect(tracking.allSatisfy { $0.tracked <= 12 && (7...40).contains($0.strongest.value) })
    #expect((18...28).contains(tracking.map(\.strongest.value).sorted()[tracking.count / 2]))
  }

  @Test(
    "where walls block signals, satellites are rarely seen, and never strong ones",
    arguments: [Reception.indoors, .none])
  func deadSkies(reception: Reception) throws {
    var known: [SatelliteReception] = []
    for seed in 1...60 as ClosedRange<UInt64> {
      for pause in [nil, 600, 36_000] as [Seconds?] {
        guard let place = Self.place(seed: seed, { $0 == 0 }) else { continue }
        let shown = try Self.search(seed: seed, under: reception, at: place, after: pause, for: 60)
        #expect(!shown.hasFix)
        known += shown.epochs.compactMap(\.signals)
      }
    }
    let seen = known.filter { $0.tracked > 0 }
    #expect((0.005...0.15).contains(Double(seen.count) / Double(known.count)))
    #expect(seen.allSatisfy { $0.tracked <= 3 && (7...17).contains($0.strongest.value) })
  }

  @Test("lost signals fade within seconds and return as fast")
  func aLostSkyFades() throws {
    let truth = StandingTruth()
    let board = VirtualBoard(groundTruth: truth, settings: .init(coarse: nil, seed: 4))
    try board.receiver.open()
    _ = try board.timeToFirstFix()
    var decoder = ReceiverDecoder()
    func tracked(for time: Seconds) throws -> [Int] {
      var tracked: [Int] = []
      decoder.feed(try board.listen(for: time), at: .zero) { fix in
        if let signals = fix.signals { tracked.append(signals.tracked) }
      }
      return tracked
    }
    #expect(try tracked(for: 60).suffix(4).allSatisfy { $0 >= 8 })
    truth.reception = .none
    let covered = try tracked(for: 60)
    #expect(covered.count > 30, "while it searches again, every epoch tells")
    #expect(covered.suffix(30).allSatisfy { $0 <= 2 })
    truth.reception = .open
    #expect(try tracked(for: 20).contains { $0 >= 8 })
  }
}
