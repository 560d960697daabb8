import Quantities
import Testing

@testable import ReceiverProtocols

/// What GSV says of the satellites' signals.
@Suite struct SatelliteSignalsTests {
  typealias Sentences = EpochAssemblerTests

  /// What the fix of an epoch with these GSV sentences says.
  static func signals(_ bodies: String...) -> SkySignals? {
    let text = Sentences.rmc("120000") + bodies.map(Line.sealed).joined()
    let fixes = Line.fixes(text)
    #expect(fixes.count == 1)
    return fixes.first?.signals
  }

  @Test("the strongest four of a group count") func theStrongestFourCount() {
    let signals = Self.signals(
      "GPGSV,2,1,07,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45",
      "GPGSV,2,2,07,24,80,010,48,25,11,180,,31,03,200,33")
    #expect(signals == SkySignals(tracked: 6, strongest: 48, fourth: 41))
  }

  @Test("with fewer than four satellites there is no fourth") func fewerThanFour() {
    #expect(
      Self.signals("GPGSV,1,1,03,01,40,083,46,02,17,308,,12,07,344,18")
        == SkySignals(tracked: 2, strongest: 46, fourth: 0))
  }

  @Test("an epoch without GSV says nothing of signals") func noSentenceNoSignals() {
    let fixes = Line.fixes(
      Sentences.rmc("120000") + Sentences.gsv("GP", inView: 1) + Sentences.rmc("120001"))
    #expect(fixes.map(\.signals) == [SkySignals(tracked: 1, strongest: 46, fourth: 0), nil])
  }

  @Test("a sky without satellites is said to be one") func emptySkyIsTold() {
    let nothing = SkySignals(tracked: 0, strongest: 0, fourth: 0)
    #expect(Self.signals("GPGSV,1,1,00") == nothing)
    #expect(Self.signals("GPGSV,1,1,00,0") == nothing)
    #expect(Self.signals("GPGSV,1,1,02,01,40,083,,02,17,308,") == nothing)
  }

  /// NMEA 4.11: the group of each signal ends with its id.
  @Test("a satellite with several signals counts once, by its strongest")
  func signalsOfOneSatelliteAreOne() {
    let signals = Self.signals(
      "GPGSV,2,1,05,01,40,083,40,02,17,308,41,12,07,344,42,14,22,228,43,1",
      "GPGSV,2,2,05,24,80,010,30,1",
      "GPGSV,1,1,03,01,40,083,50,02,17,308,20,24,80,010,29,6",
      "GAGSV,1,1,01,01,40,083,35,7", "GAGSV,1,1,01,01,40,083,36,2")
    #expect(signals == SkySignals(tracked: 6, strongest: 50, fourth: 41))
  }

  @Test("talkers have satellites of their own") func talkersHaveTheirOwn() {
    let signals = Self.signals(
      "GPGSV,1,1,02,01,40,083,31,02,40,083,32", "GLGSV,1,1,02,65,40,083,33,66,40,083,34",
      "GAGSV,1,1,01,01,40,083,35", "GBGSV,1,1,01,01,40,083,36", "GQGSV,1,1,01,01,40,083,37")
    #expect(signals == SkySignals(tracked: 7, strongest: 37, fourth: 34))
  }

  @Test("unusual layouts are read as far as they are sound") func unusualLayouts() {
    #expect(
      Self.signals("GPGSV,1,1,02,1,4,83,46,193,17,308,9")
        == SkySignals(tracked: 2, strongest: 46, fourth: 0))
    #expect(
      Self.signals("GPGSV,1,1,02,01,40,083,46.5,02,,,44")
        == SkySignals(tracked: 2, strongest: 46, fourth: 0))
    #expect(
      Self.signals("GPGSV,1,1,04,01,40,083,46,,,,,02,40,083,44,,,,")
        == SkySignals(tracked: 2, strongest: 46, fourth: 0))
  }

  @Test("nonsense is no signal, and no reason to refuse the sentence") func nonsense() {
    for body in [
      "GPGSV,1,1,01,01,40,083,x6", "GPGSV,1,1,01,01,40,083,-9", "GPGSV,1,1,01,01,40,083",
      "GPGSV,1,1,01,01,40", "GPGSV,1,1,01,01", "GPGSV,1,1,01,", "GPGSV,1,1,01",
      "GPGSV,1,1,01,99999999999999999999,40,083,46", "GPGSV,1,1,01,01,40,083,99999999999",
      "GPGSV,1,1,01,aa,40,083,46", "GPGSV,1,1,01,01,40,083,00",
    ] {
      #expect(Self.signals(body) == SkySignals(tracked: 0, strongest: 0, fourth: 0))
    }
    #expect(Self.signals("GPGSV,1,1,01,01,40,083,999")?.strongest == 99)
    #expect(Self.signals("GPGSV,1,1,01,999,40,083,30")?.tracked == 1)
  }

  @Test("any order of any satellites gives the four best of each one's best")
  func rankingIsThatOfSortedLists() {
    var state: UInt64 = 9
    func next(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
    for _ in 0..<2000 {
      var counted = SatelliteSignals()
      counted.tell()
      var best: [Int: Int] = [:]
      for _ in 0..<next(30) {
        let (number, strength) = (1 + next(9), next(60))
        counted.hear(
          SatelliteSignal(
            SatelliteNumber(talker: NMEATalker.gp, number: number), strength: strength))
        if strength > 0 { best[number] = max(best[number] ?? 0, strength) }
      }
      let sorted = best.values.sorted(by: >)
      #expect(
        counted.signals
          == SkySignals(
            tracked: sorted.count, strongest: DecibelHertz(Double(sorted.first ?? 0)),
            fourth: DecibelHertz(Double(sorted.count > 3 ? sorted[3] : 0))))
    }
  }
}
