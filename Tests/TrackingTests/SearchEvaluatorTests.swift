import Core
import GNSS
import Testing

@testable import Tracking

@Suite struct SearchEvaluatorTests {
  static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  static let silence = SatelliteReception(tracked: 0, strongest: 0, fourth: 0)
  static let walls = SatelliteReception(tracked: 4, strongest: 24, fourth: 20)
  static let open = SatelliteReception(tracked: 9, strongest: 46, fourth: 42)

  /// When a search with the same signals every second is abandoned; nil: not within five minutes.
  static func givenUp(
    _ signals: SatelliteReception, after start: SearchEvaluator.Start, worth: Seconds = 20
  ) -> Double? {
    var judge = SearchEvaluator()
    judge.began(start)
    return (0..<300).map(Double.init).first { second in
      judge.received(signals, at: at(second))
      return judge.objection(worth: worth, at: at(second)) != nil
    }
  }

  @Test("a hot or warm start without signal ends in seconds, a cold one in its usual time")
  func darkSky() throws {
    #expect(try #require(Self.givenUp(Self.silence, after: .hot)) <= 1)
    #expect(try #require(Self.givenUp(Self.silence, after: .warm)) <= 4)
    let cold = try #require(Self.givenUp(Self.silence, after: .cold))
    #expect((15...30).contains(cold))
  }

  @Test("under open sky signals never end a search")
  func clearSky() {
    for start in [SearchEvaluator.Start.hot, .warm, .cold] {
      #expect(Self.givenUp(Self.open, after: start) == nil)
    }
  }

  @Test("indoors a search lasts as long as a fix is worth")
  func faintSky() throws {
    let check = try #require(Self.givenUp(Self.walls, after: .hot, worth: 2))
    let search = try #require(Self.givenUp(Self.walls, after: .hot, worth: 60))
    #expect(check <= 2)
    #expect(search > 30 && search < 60)
  }

  @Test("buildings that once allowed fixes are searched for longer than others")
  func experience() {
    func timeSpent(fixes: Bool) -> Double {
      var judge = SearchEvaluator()
      for search in 0..<10 {
        let begin = Double(search) * 1000
        judge.began(.hot)
        for second in 0...8 { judge.received(Self.walls, at: Self.at(begin + Double(second))) }
        if fixes {
          judge.found(at: Self.at(begin + 8))
        } else {
          judge.gaveUp(at: Self.at(begin + 8))
        }
      }
      judge.began(.hot)
      return (0..<300).map(Double.init).first { second in
        judge.received(Self.walls, at: Self.at(20_000 + second))
        return judge.objection(worth: 20, at: Self.at(20_000 + second)) != nil
      } ?? 300
    }
    #expect(timeSpent(fixes: true) > 20 * timeSpent(fixes: false))
  }

  @Test("a receiver without signal reports is not assessed by them")
  func noReports() {
    var judge = SearchEvaluator()
    judge.began(.hot)
    #expect(judge.signalQuality == nil)
    #expect(judge.objection(worth: 1, at: Self.at(600)) == nil)
  }

  @Test("hours in a cellar teach nothing about the silent part of a start")
  func cellar() {
    var judge = SearchEvaluator()
    let before = judge
    judge.began(.hot)
    for second in stride(from: 0.0, to: 7200, by: 60) {
      judge.received(Self.silence, at: Self.at(second))
    }
    judge.received(Self.open, at: Self.at(7200))
    judge.found(at: Self.at(7201))
    judge.began(.hot)
    var fresh = before
    fresh.began(.hot)
    for second in 0..<3 {
      judge.received(Self.silence, at: Self.at(9000 + Double(second)))
      fresh.received(Self.silence, at: Self.at(9000 + Double(second)))
    }
    #expect(judge.objection(worth: 20, at: Self.at(9002)) == .noSignal)
    #expect(fresh.objection(worth: 20, at: Self.at(9002)) == .noSignal)
  }

  @Test("learnt signal data survives a restart, and damaged data is learnt anew")
  func restart() {
    var judge = SearchEvaluator()
    #expect(judge.snapshot == nil)
    judge.began(.hot)
    for second in 0..<6 {
      judge.received(second < 3 ? Self.silence : Self.open, at: Self.at(Double(second)))
    }
    judge.found(at: Self.at(6))
    let snapshot = judge.snapshot
    #expect(snapshot != nil)
    var next = SearchEvaluator()
    next.restore(snapshot)
    #expect(next.snapshot == snapshot)
    for damaged: JSONValue in [.null, .array([.null]), .array([.null, .number(1), .string("x")])] {
      var other = SearchEvaluator()
      other.restore(damaged)
      #expect(other.snapshot == nil)
    }
  }
}
