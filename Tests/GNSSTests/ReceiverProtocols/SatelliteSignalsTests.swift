import Core
import TestSupport
import Testing

@testable import GNSS

/// GSV's data on the satellites' signals.
@Suite struct SatelliteSignalsTests {
  typealias Sentences = EpochAssemblerTests

  /// The signals in the fix of an epoch with these GSV sentences.
  static func signals(_ bodies: String...) -> SatelliteReception? {
    let text = Sentences.rmc("120000") + bodies.map(Line.withChecksum).joined()
    let fixes = Line.fixes(text)
    #expect(fixes.count == 1)
    return fixes.first?.signals
  }

  @Test("the strongest four of a group count") func theStrongestFourCount() {
    let signals = Self.signals(
      "GPGSV,2,1,07,01,40,083,46,02,17,308,41,12,07,344,39,14,22,228,45",
      "GPGSV,2,2,07,24,80,010,48,25,11,180,,31,03,200,33")
    #expect(signals == SatelliteReception(tracked: 6, strongest: 48, fourth: 41))
  }

  @Test("with fewer than four satellites there is no fourth") func fewerThanFour() {
    #expect(
      Self.signals("GPGSV,1,1,03,01,40,083,46,02,17,308,,12,07,344,18")
        == SatelliteReception(tracked: 2, strongest: 46, fourth: 0))
  }

  @Test("an epoch without GSV has no signal data") func noSentenceNoSignals() {
    let fixes = Line.fixes(
      Sentences.rmc("120000") + Sentences.gsv("GP", inView: 1) + Sentences.rmc("120001"))
    #expect(
      fixes.map(\.signals) == [SatelliteReception(tracked: 1, strongest: 46, fourth: 0), nil])
  }

  @Test("a satellite view without satellites is reported as empty") func emptySkyIsTold() {
    let nothing = SatelliteReception(tracked: 0, strongest: 0, fourth: 0)
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
    #expect(signals == SatelliteReception(tracked: 6, strongest: 50, fourth: 41))
  }

  @Test("each talker has its own satellites") func talkersHaveTheirOwn() {
    let signals = Self.signals(
      "GPGSV,1,1,02,01,40,083,31,02,40,083,32", "GLGSV,1,1,02,65,40,083,33,66,40,083,34",
      "GAGSV,1,1,01,01,40,083,35", "GBGSV,1,1,01,01,40,083,36", "GQGSV,1,1,01,01,40,083,37")
    #expect(signals == SatelliteReception(tracked: 7, strongest: 37, fourth: 34))
  }

  @Test("unusual layouts are read as far as they are sound") func unusualLayouts() {
    #expect(
      Self.signals("GPGSV,1,1,02,1,4,83,46,193,17,308,9")
        == SatelliteReception(tracked: 2, strongest: 46, fourth: 0))
    #expect(
      Self.signals("GPGSV,1,1,02,01,40,083,46.5,02,,,44")
        == SatelliteReception(tracked: 2, strongest: 46, fourth: 0))
    #expect(
      Self.signals("GPGSV,1,1,04,01,40,083,46,,,,,02,40,083,44,,,,")
        == SatelliteReception(tracked: 2, strongest: 46, fourth: 0))
  }

  @Test("nonsense is not a signal, and does not invalidate the sentence") func nonsense() {
    for body in [
      "GPGSV,1,1,01,01,40,083,x6", "GPGSV,1,1,01,01,40,083,-9", "GPGSV,1,1,01,01,40,083",
      "GPGSV,1,1,01,01,40", "GPGSV,1,1,01,01", "GPGSV,1,1,01,", "GPGSV,1,1,01",
      "GPGSV,1,1,01,99999999999999999999,40,083,46", "GPGSV,1,1,01,01,40,083,99999999999",
      "GPGSV,1,1,01,aa,40,083,46", "GPGSV,1,1,01,01,40,083,00",
    ] {
      #expect(Self.signals(body) == SatelliteReception(tracked: 0, strongest: 0, fourth: 0))
    }
    #expect(Self.signals("GPGSV,1,1,01,01,40,083,999")?.strongest == 99)
    #expect(Self.signals("GPGSV,1,1,01,999,40,083,30")?.tracked == 1)
  }

  /// NAV-SAT of one epoch: constellation, number, C/N0 and quality of each satellite.
  static func navSAT(
    _ satellites: [(gnss: UInt8, number: UInt8, strength: UInt8, quality: UInt8)],
    told: UInt8? = nil
  ) -> [UInt8] {
    let count = told ?? UInt8(satellites.count)
    var payload: [UInt8] = UBX.bytes(UInt32(475_203_000)) + [1, count, 0, 0]
    for one in satellites {
      payload += [one.gnss, one.number, one.strength, 40, 83, 0, 0, 0, one.quality, 0, 0, 0]
    }
    return UBX.frame(0x01, 0x35, payload)
  }

  static func fix(_ frames: [UInt8]) -> Fix? {
    let fixes = Line.decoded(UBX.pvt(second: 3) + frames).fixes
    #expect(fixes.count == 1)
    return fixes.first
  }

  @Test("satellites in several groups are counted once, tracked or without signal")
  func groupsBySignal() {
    // A u-blox M10 lists satellites without a signal under signal 0.
    let apart = [
      "GPGSV,1,1,03,10,23,294,32,12,41,226,30,13,48,232,28,1",
      "GPGSV,1,1,02,14,10,010,,16,09,200,,0",
      "GLGSV,1,1,02,65,58,275,32,66,23,331,33,1",
      "GLGSV,1,1,03,73,12,066,,76,07,251,,82,07,354,,0",
    ]
    // Other receivers list the same satellites for each signal.
    let again = [
      "GPGSV,1,1,04,10,23,294,32,12,41,226,30,13,48,232,28,14,10,010,,1",
      "GPGSV,1,1,03,10,23,294,31,12,41,226,30,14,10,010,,8",
    ]
    for (groups, count) in [(apart, 10), (again, 4)] {
      let bodies = ["GNRMC,080000.00,A,5206.0,N,00506.0,E,0.1,,010526,,,A"] + groups
      let fixes = Line.fixes(bodies.map(Line.withChecksum).joined())
      #expect(fixes.map(\.satellitesInView) == [count])
    }
  }

  @Test("NAV-SAT gives the signals present") func navSATTells() {
    let fix = Self.fix(
      Self.navSAT([
        (0, 1, 46, 7), (0, 2, 41, 4), (6, 1, 39, 7), (2, 1, 45, 7), (3, 1, 30, 1), (5, 1, 0, 0),
      ]))
    #expect(fix?.signals == SatelliteReception(tracked: 4, strongest: 46, fourth: 39))
    #expect(fix?.satellitesInView == 6)
    #expect(Self.fix([])?.signals == nil)
    #expect(
      Self.fix(Self.navSAT([]))?.signals == SatelliteReception(tracked: 0, strongest: 0, fourth: 0))
  }

  @Test("NAV-SVINFO gives the same for older receivers") func navSVINFOTells() {
    var payload: [UInt8] = UBX.bytes(UInt32(475_203_000)) + [3, 0, 0, 0]
    for (number, quality, strength) in [(1, 7, 46), (66, 4, 41), (120, 1, 0)]
      as [(UInt8, UInt8, UInt8)]
    {
      payload += [0, number, 0, quality, strength, 40, 83, 0, 0, 0, 0, 0]
    }
    let fix = Self.fix(UBX.frame(0x01, 0x30, payload))
    #expect(fix?.signals == SatelliteReception(tracked: 2, strongest: 46, fourth: 0))
    #expect(fix?.satellitesInView == 3)
  }

  @Test("a list shorter than its stated length is read to its end")
  func claimsBeyondTheFrame() {
    let fix = Self.fix(Self.navSAT([(0, 1, 46, 7)], told: 255))
    #expect(fix?.signals == SatelliteReception(tracked: 1, strongest: 46, fourth: 0))
    #expect(fix?.satellitesInView == 1)
    let cut = UBX.frame(
      0x01, 0x35, UBX.bytes(UInt32(475_203_000)) + [1, 2, 0, 0] + [0, 1, 46, 40, 83, 0])
    #expect(Self.fix(cut)?.signals == SatelliteReception(tracked: 0, strongest: 0, fourth: 0))
    let many = (0...255).map {
      (gnss: UInt8($0), number: UInt8($0), strength: UInt8(255), quality: UInt8(7))
    }
    #expect(Self.fix(Self.navSAT(many, told: 255))?.signals?.strongest == 99)
  }

  @Test("signal data counts as missing from a UBX-only receiver that sends none")
  func signalsAreMissed() {
    var decoder = ReceiverDecoder()
    func hear(_ bytes: [UInt8]) -> Bool {
      decoder.feed(bytes, at: .zero) { _ in }
      decoder.flush(at: .zero) { _ in }
      return decoder.lacksSignals
    }
    #expect(!hear(UBX.frame(0x05, 0x01, [6, 1])), "an acknowledgement is no epoch")
    #expect(hear(UBX.pvt(second: 2)))
    #expect(!hear(UBX.pvt(second: 3) + Self.navSAT([])))
    #expect(hear(UBX.pvt(second: 4)))
    #expect(!hear(Array(Sentences.rmc("120006").utf8)), "what speaks NMEA sends GSV")
    #expect(!hear(UBX.pvt(second: 7)))
  }

  @Test("gpsd gives signals in SKY, for the next position report")
  func gpsdTells() {
    let sky =
      #"{"class":"SKY","satellites":[{"PRN":1,"ss":46.0,"used":true},"#
      + #"{"PRN":2,"ss":0,"used":false},"#
      + #"{"PRN":301,"gnssid":2,"svid":1,"ss":41.9,"used":true},{"PRN":3,"ss":-9,"used":false},"#
      + #"{"gnssid":1e9,"svid":-1,"PRN":7e9,"ss":1e300,"used":false}]}"# + "\n"
    let report = #"{"class":"TPV","mode":1}"# + "\n"
    #expect(
      Line.fixes(report + sky + report + report).map(\.signals)
        == [nil, SatelliteReception(tracked: 2, strongest: 46, fourth: 0), nil])
    let silent = #"{"class":"SKY","satellites":[{"PRN":1,"used":false}]}"# + "\n"
    #expect(Line.fixes(silent + report).map(\.signals) == [nil])
    let empty = #"{"class":"SKY","satellites":[]}"# + "\n"
    #expect(Line.fixes(empty + report).first?.signals?.tracked == 0)
  }

  /// The four strongest of each satellite's strongest signal, by sorting.
  static func sorted(_ best: [Int: Int]) -> SatelliteReception {
    let strengths = best.values.sorted(by: >)
    return SatelliteReception(
      tracked: strengths.count, strongest: DecibelHertz(Double(strengths.first ?? 0)),
      fourth: DecibelHertz(Double(strengths.count > 3 ? strengths[3] : 0)))
  }

  @Test(
    "any satellites in any order give the four strongest", arguments: [9, 64, 400])
  func rankingIsThatOfSortedLists(satellites: Int) {
    var random = SplitMix(seed: 9)
    for _ in 0..<2000 {
      var single = SatelliteSignals()
      var grouped = SatelliteSignals()
      single.markReported()
      grouped.markReported()
      var best: [Int: Int] = [:]
      for _ in 0..<random.next() % 12 {
        var four: [SatelliteSignal] = []
        for _ in 0..<4 {
          let number = 65 + Int(random.next() % UInt64(satellites))
          let strength = Int(random.next() % 60)
          if strength > 0 { best[number] = max(best[number] ?? 0, strength) }
          let signal = SatelliteSignal(SatelliteNumber(number, of: .all), strength: strength)
          single.add(signal)
          four.append(signal)
        }
        grouped.add(FourSignals(four[0], four[1], four[2], four[3]))
      }
      #expect(single.signals == Self.sorted(best))
      #expect(grouped.signals == Self.sorted(best))
    }
  }

  /// Numbers and strengths of two digits and azimuths of three are read at once. A number of three
  /// digits, or a strength with a decimal, is read separately.
  @Test(
    "satellites are read the same in any layout",
    arguments: ["GP", "GL", "GA", "GB", "GQ", "GI", "GN"])
  func layoutsMeanTheSame(talker: String) {
    var random = SplitMix(seed: 4)
    let digits = { (number: Int, width: Int) in
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    for _ in 0..<200 {
      var usual = "\(talker)GSV,1,1,04"
      var (long, short) = (usual, usual)
      for _ in 0..<4 {
        let (number, strength) = (Int(random.next() % 100), Int(random.next() % 100))
        usual += ",\(digits(number, 2)),40,083,\(digits(strength, 2))"
        long += ",\(digits(number, 3)),40,83,\(strength).0"
        short += ",\(number),4,,\(strength)"
      }
      let signals = Self.signals(usual)
      #expect(signals != nil)
      #expect(signals == Self.signals(usual + ",1"))
      #expect(signals == Self.signals(long))
      #expect(signals == Self.signals(short + ",1"))
    }
  }
}
