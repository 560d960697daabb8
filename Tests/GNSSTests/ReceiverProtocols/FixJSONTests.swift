import Core
import GNSS
import Testing

@Suite struct FixJSONTests {
  static func text(_ fix: Fix) -> String {
    var writer = JSONWriter()
    FixJSON.write(fix, to: &writer)
    return writer.text
  }

  @Test("a fix is written with gpsd's keys, in gpsd's order") func everyKeyIsWritten() throws {
    let fix = try #require(Line.decoded(UBX.pvt(second: 3, flags: 0x83)).fixes.first)
    #expect(
      Self.text(fix)
        == #"{"class":"TPV","status":3,"mode":3,"time":"2026-05-01T12:00:03.000Z","#
        + #""lat":52.071666700,"lon":5.120000000,"altHAE":50.0000,"altMSL":5.0000,"alt":5.0000,"#
        + #""epv":4.000,"eps":0.300,"eph":2.500,"track":270.0000,"speed":1.500,"climb":0.250,"#
        + #""geoidSep":45.000,"uSat":9}"#)
  }

  @Test("a void fix is written as its mode only") func aVoidFixIsItsModeAlone() {
    #expect(Self.text(Fix(received: .zero)) == #"{"class":"TPV","mode":1}"#)
  }

  /// gpsd's JSON written by Godwit is read by Godwit's gpsd decoder.
  @Test("a fix is read back as it was written") func aFixIsReadBack() throws {
    let fix = try #require(Line.decoded(UBX.pvt(second: 3)).fixes.first)
    let again = try #require(Line.fixes(Self.text(fix) + "\n").first)
    #expect(again.time == fix.time && again.position == fix.position && again.mode == fix.mode)
    #expect(again.horizontalError == fix.horizontalError && again.speed == fix.speed)
  }
}
