import Core
import GNSS
import Testing

@Suite struct ReceiverDecoderTests {
  /// Two seconds of a receiver that sends RMC, GGA and GSA.
  static let transcript = [
    "GPRMC,120000.00,A,5204.30000,N,00507.20000,E,1.000,90.0,010526,,,A",
    "GPGGA,120000.00,5204.30000,N,00507.20000,E,1,08,0.90,5.0,M,45.0,M,,",
    "GPGSA,A,3,01,02,03,04,,,,,,,,,1.5,0.9,1.2",
    "GPRMC,120001.00,A,5204.30010,N,00507.20010,E,1.000,90.0,010526,,,A",
    "GPGGA,120001.00,5204.30010,N,00507.20010,E,1,08,0.90,5.0,M,45.0,M,,",
    "GPGSA,A,3,01,02,03,04,,,,,,,,,1.5,0.9,1.2",
  ].map(Line.withChecksum).joined()

  @Test("each epoch gives one fix with the content of its sentences")
  func oneFixForEachEpoch() throws {
    let fixes = Line.fixes(Self.transcript)
    try #require(fixes.count == 2)
    let fix = fixes[0]
    #expect(
      fix.time == CivilTime(year: 2026, month: 5, day: 1, hour: 12).instant)
    #expect(fix.mode == .threeD)
    #expect(fix.position?.latitude.value == 52 + 4.3 / 60)
    #expect(fix.position?.longitude.value == 5 + 7.2 / 60)
    #expect(fix.altitudeMSL == 5)
    #expect(fix.altitudeHAE == 50)
    #expect(fix.satellitesUsed == 8)
    #expect(fix.hdop == 0.9)
    #expect(abs((fix.speed?.value ?? 0) - 0.514444) < 1e-6)
    #expect(fix.track == 90)
  }
}
