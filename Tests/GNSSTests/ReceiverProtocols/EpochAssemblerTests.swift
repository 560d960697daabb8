import Core
import Testing

@testable import GNSS

@Suite struct EpochAssemblerTests {
  static func rmc(_ time: String, date: String = "010526", status: String = "A") -> String {
    Line.withChecksum("GPRMC,\(time),\(status),5204.3000,N,00507.2000,E,1.0,90.0,\(date),,,A")
  }
  static func gga(_ time: String, quality: Int = 1, talker: String = "GP") -> String {
    Line.withChecksum(
      "\(talker)GGA,\(time),5204.3000,N,00507.2000,E,\(quality),08,0.9,5.0,M,45.0,M,,")
  }
  static func gsa(_ mode: Int, talker: String = "GN") -> String {
    Line.withChecksum("\(talker)GSA,A,\(mode),01,02,03,04,,,,,,,,,1.5,0.9,1.2")
  }
  static func gsv(_ talker: String, inView: Int, part: Int = 1, of parts: Int = 1) -> String {
    Line.withChecksum("\(talker)GSV,\(parts),\(part),\(inView),01,40,083,46")
  }
  static func utc(
    _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Int
  ) -> UTCInstant? {
    CivilTime(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second
    ).instant
  }

  @Test("sentences of all constellations form one fix")
  func constellationsJoinInOneFix() throws {
    let fixes = Line.fixes(
      Self.rmc("120000") + Self.gga("120000", talker: "GN") + Self.gsa(3) + Self.gsa(1)
        + Self.gsv("GP", inView: 9, part: 1, of: 2) + Self.gsv("GP", inView: 9, part: 2, of: 2)
        + Self.gsv("GL", inView: 7) + Self.gsv("GB", inView: 4) + Self.gsv("GA", inView: 5)
        + Line.withChecksum("GNGST,120000,1.0,,,,3.0,4.0,9.0") + Self.rmc("120001"))
    let fix = try #require(fixes.first)
    #expect(fixes.count == 2)
    #expect(fix.mode == .threeD)
    #expect(fix.satellitesInView == 25)
    #expect(fix.horizontalError == 5, "the root of the squares of GST's north and east")
    #expect(fix.verticalError == 9)
  }

  @Test("GSA determines the mode; without it GGA means 3D and RMC 2D") func gsaDecidesTheMode() {
    #expect(Line.fixes(Self.gga("120000") + Self.gsa(2)).map(\.mode) == [.twoD])
    #expect(Line.fixes(Self.gga("120000") + Self.gsa(1)).map(\.mode) == [FixMode.none])
    #expect(Line.fixes(Self.gga("120000")).map(\.mode) == [.threeD])
    #expect(Line.fixes(Self.rmc("120000")).map(\.mode) == [.twoD])
  }

  @Test("the dimension applies until the next GSA") func theDimensionHoldsBetweenGSAs() {
    let fixes = Line.fixes(
      Self.rmc("120000") + Self.gsa(3) + Self.rmc("120001") + Self.rmc("120002"))
    #expect(fixes.map(\.mode) == [.threeD, .threeD, .threeD])
  }

  @Test("one void sentence makes a void fix") func oneVoidSentenceMakesAVoidFix() {
    for text in [
      Self.gga("120000", quality: 0), Self.rmc("120000", status: "V"),
      Self.gga("120000", quality: 6) + Self.rmc("120000", status: "V"),
      Self.rmc("120000", status: "V") + Self.gga("120000"),
    ] {
      let (fixes, counters) = Line.decoded(Array((text + Self.gsv("GP", inView: 3)).utf8))
      #expect(fixes.map(\.mode) == [FixMode.none])
      #expect(fixes.first?.position == nil)
      #expect(fixes.first?.satellitesInView == 3, "the receiver is alive and sees something")
      #expect(counters.voidFixes == 1 && counters.fixes == 0)
    }
  }

  @Test("null island is not a position") func nullIslandIsNoPlace() {
    let text = Line.withChecksum("GPRMC,120000,A,0000.0000,N,00000.0000,E,0,0,010526,,,A")
    let (fixes, counters) = Line.decoded(Array(text.utf8))
    #expect(fixes.map(\.mode) == [FixMode.none])
    #expect(counters.nullIslands == 1)
  }

  @Test("without a date there is no time") func withoutADateThereIsNoTime() {
    let fixes = Line.fixes(Self.gga("120000") + Self.gga("120001") + Self.rmc("120001"))
    #expect(fixes.map(\.time) == [nil, Self.utc(2026, 5, 1, 12, 0, 1)])
  }

  @Test("the date advances at midnight without a new date") func midnightPassesWithoutADate() {
    let fixes = Line.fixes(
      Self.rmc("235959", date: "311226") + Self.gga("235959") + Self.gga("000000")
        + Self.gga("000001"))
    #expect(
      fixes.map(\.time) == [
        Self.utc(2026, 12, 31, 23, 59, 59), Self.utc(2027, 1, 1, 0, 0, 0),
        Self.utc(2027, 1, 1, 0, 0, 1),
      ])
  }

  @Test("the date of an epoch is right although it arrives in its middle")
  func midnightPassesInTheMiddleOfAnEpochsSentences() {
    let fixes = Line.fixes(
      Self.gga("235959") + Self.rmc("235959", date: "280227") + Self.gga("000000")
        + Self.rmc("000000", date: "010327"))
    #expect(
      fixes.map(\.time) == [Self.utc(2027, 2, 28, 23, 59, 59), Self.utc(2027, 3, 1, 0, 0, 0)])
  }

  @Test("the date is kept and advances while the receiver is off")
  func theDateIsKeptWhileTheReceiverIsOff() {
    var decoder = ReceiverDecoder()
    var fixes: [Fix] = []
    let hours = { BootInstant.zero + Seconds.hours($0) }
    decoder.feed(Array(Self.rmc("010000").utf8), at: hours(1)) { fixes.append($0) }
    decoder.flush(at: hours(1)) { fixes.append($0) }
    decoder.feed(Array(Self.gga("200000").utf8), at: hours(20)) { fixes.append($0) }
    decoder.flush(at: hours(20)) { fixes.append($0) }
    decoder.feed(Array(Self.gga("200000").utf8), at: hours(68)) { fixes.append($0) }
    decoder.flush(at: hours(68)) { fixes.append($0) }
    #expect(
      fixes.map(\.time) == [
        Self.utc(2026, 5, 1, 1, 0, 0), Self.utc(2026, 5, 1, 20, 0, 0),
        Self.utc(2026, 5, 3, 20, 0, 0),
      ])
  }

  @Test("the leap second is the first second of the next day")
  func theLeapSecondIsTheNextDaysFirst() {
    let fixes = Line.fixes(
      Self.rmc("235959", date: "311216") + Self.rmc("235960", date: "311216")
        + Self.rmc("000000", date: "010117"))
    #expect(
      fixes.map(\.time) == [
        Self.utc(2016, 12, 31, 23, 59, 59), Self.utc(2017, 1, 1, 0, 0, 0),
        Self.utc(2017, 1, 1, 0, 0, 0),
      ])
  }

  @Test(
    "dates of an earlier week rollover are corrected and counted",
    arguments: [("150906", 1024), ("300187", 2048)])
  func weekRolloversAreCorrected(date: String, weeks: Int) throws {
    let floor = try #require(Self.utc(2026, 1, 1, 0, 0, 0))
    let text = Self.rmc("120000", date: date)
    let (fixes, counters) = Line.decoded(Array(text.utf8), options: .init(earliestDate: floor))
    let told = try #require(Line.fixes(text).first?.time)
    #expect(fixes.first?.time == told + Seconds.days(Double(weeks * 7)))
    #expect(counters.weekRolloversCorrected == 1)
  }

  @Test(
    "dates that do not exist, or are from an unset clock, give no time and are counted",
    arguments: ["310226", "001326", "000126", "999999", "060180"])
  func datesThatDoNotExistGiveNoTime(date: String) {
    let (fixes, counters) = Line.decoded(Array(Self.rmc("120000", date: date).utf8))
    #expect(fixes.map(\.time) == [nil])
    #expect(counters.impossibleDates == 1)
  }

  @Test("a frozen receiver is counted and its fixes are rejected")
  func aFrozenReceiverIsCountedAndNotBelieved() {
    let second = Self.rmc("120000") + Self.gga("120000")
    let (fixes, counters) = Line.decoded(Array((second + second + second).utf8))
    #expect(fixes.count == 1)
    #expect(counters.repeatedEpochs == 2)
  }

  @Test("malformed sentences are ignored") func malformedSentencesSayNothing() {
    let bad = Line.withChecksum("GPGGA,120000,5260.0000,N,00507.2000,E,1,08,0.9,5.0,M,45.0,M,,")
    let (fixes, counters) = Line.decoded(Array((bad + Self.rmc("120000")).utf8))
    #expect(fixes.map(\.mode) == [.twoD])
    #expect(counters.malformedFields == 1)
  }

  @Test("PUBX gives the accuracy") func pubxGivesAccuracy() throws {
    let text = Line.withChecksum(
      "PUBX,00,120000.00,5204.30000,N,00507.20000,E,50.1,G3,2.1,3.2,36.0,77.5,-0.5,,"
        + "0.9,1.2,0.8,12,0,0")
    let fix = try #require(Line.fixes(text).first)
    #expect(fix.mode == .threeD && fix.horizontalError == 2.1 && fix.verticalError == 3.2)
    #expect(fix.altitudeHAE == 50.1 && fix.speed == 10 && fix.climb == 0.5)
    #expect(fix.satellitesUsed == 12)
  }
}
