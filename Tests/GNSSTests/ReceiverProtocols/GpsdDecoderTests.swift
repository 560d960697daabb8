import Core
import GNSS
import Testing

@Suite struct GpsdDecoderTests {
  static func fixes(_ lines: String...) -> [Fix] {
    Line.fixes(lines.map { $0 + "\n" }.joined())
  }

  /// gpsd 3.22 writes no `altMSL` beside `alt`, and satellites only as a list.
  @Test("a fix of gpsd 3.22 has its altitude, its errors and its satellites")
  func release322() throws {
    let fix = try #require(
      Self.fixes(
        #"{"class":"SKY","hdop":0.9,"satellites":[{"PRN":1,"used":true},{"PRN":2,"used":false}]}"#,
        #"{"class":"TPV","device":"/dev/a","status":2,"mode":3,"time":"2026-05-01T12:00:00.000Z","#
          + #""lat":52.07,"lon":5.12,"alt":5.5,"epx":3,"epy":4,"epv":7,"speed":1.5,"track":360}"#
      ).first)
    #expect(fix.mode == .threeD && fix.quality == .differential)
    #expect(fix.altitudeMSL == 5.5 && fix.altitudeHAE == nil)
    #expect(fix.horizontalError == 5 && fix.verticalError == 7)
    #expect(fix.track == 0)
    #expect(fix.satellitesUsed == 1 && fix.satellitesInView == 2 && fix.hdop == 0.9)
  }

  @Test("a fix of gpsd 3.25 has both altitudes, its errors and its satellites")
  func release325() throws {
    let fix = try #require(
      Self.fixes(
        #"{"class":"SKY","nSat":20,"uSat":11}"#,
        #"{"class":"TPV","mode":3,"time":"2026-05-01T12:00:00.000Z","lat":52.07,"lon":5.12,"#
          + #""altHAE":50,"altMSL":5,"alt":5,"eph":2.5,"climb":-0.1,"geoidSep":45}"#
      ).first)
    #expect(fix.quality == .autonomous)
    #expect(fix.altitudeMSL == 5 && fix.altitudeHAE == 50 && fix.geoidSeparation == 45)
    #expect(fix.horizontalError == 2.5 && fix.climb == -0.1)
    #expect(fix.satellitesUsed == 11 && fix.satellitesInView == 20)
  }

  @Test("reports without a fix or a position are void fixes") func reportsWithoutAPlaceAreVoid() {
    let fixes = Self.fixes(
      #"{"class":"TPV","mode":0}"#, #"{"class":"TPV","mode":1}"#, #"{"class":"TPV","mode":3}"#,
      #"{"class":"TPV","mode":3,"lat":0,"lon":0}"#, #"{"class":"TPV","mode":3,"lat":91,"lon":0}"#)
    #expect(fixes.map(\.mode) == [.none, .none, .none, .none, .none])
  }

  @Test("several reports of one time are one fix, unless the mode improves")
  func oneFixForManyReportsOfOneTime() {
    let report = { (mode: Int) in
      #"{"class":"TPV","mode":\#(mode),"time":"2026-05-01T12:00:00.000Z","lat":52,"lon":5}"#
    }
    #expect(Self.fixes(report(2), report(2), report(3), report(3)).map(\.mode) == [.twoD, .threeD])
  }

  /// The floor applies to gpsd's dates as to a receiver's own.
  @Test("dates before the floor are corrected or left out")
  func datesBeforeTheFloorAreCorrectedOrLeftOut() throws {
    let floor = try #require(ISO8601.parse("2026-01-01T00:00:00Z"))
    let report = { (time: String) in
      #"{"class":"TPV","mode":3,"time":"\#(time)","lat":52,"lon":5}"# + "\n"
    }
    let gst = #"{"class":"GST","time":"2006-12-15T23:59:59.500Z","lat":3,"lon":4}"# + "\n"
    let told = ["2026-08-01T23:59:59.500Z", "2006-12-15T23:59:59.500Z", "2250-01-01T00:00:00Z"]
    let result = Line.decoded(
      Array((gst + told.map(report).joined()).utf8), options: DecoderOptions(earliestDate: floor))
    let later = try #require(ISO8601.parse("2026-07-31T23:59:59.500Z"))
    #expect(result.fixes.map(\.time) == [ISO8601.parse(told[0]), later, nil])
    #expect(result.fixes.map(\.horizontalError) == [nil, 5, nil])
    #expect(result.counters.weekRolloversCorrected == 1 && result.counters.impossibleDates == 1)
    #expect(Line.fixes(report(told[1])).map(\.time) == [ISO8601.parse(told[1])])
  }

  @Test("gpsd's errors are counted") func errorsAreCounted() {
    let text = #"{"class":"ERROR","message":"Unrecognized request"}"# + "\n"
    #expect(Line.decoded(Array(text.utf8)).counters.gpsdErrors == 1)
  }

  @Test("negative and absurdly large values are left out")
  func implausibleSizes() throws {
    let sky = #"{"class":"SKY","hdop":-1,"nSat":-5,"uSat":9e15}"# + "\n"
    let report =
      #"{"class":"TPV","mode":2,"lat":52,"lon":5,"speed":-2,"epx":1e200,"epy":1e200,"#
      + #""eps":-1,"epv":-3,"track":361}"# + "\n"
    let fix = try #require(Line.fixes(sky + report).first)
    #expect(fix.hasPosition)
    #expect(fix.hdop == nil && fix.satellitesInView == nil && fix.satellitesUsed == nil)
    #expect(fix.speed == nil && fix.speedError == nil && fix.track == nil)
    #expect(fix.horizontalError == nil && fix.verticalError == nil)
  }
}
