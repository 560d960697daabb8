import Core
import GNSS
import Testing

/// Recordings from the tests of other parsers.
@Suite(.enabled(if: RecordedData.isPresent, RecordedData.absence))
struct RecordingTests {
  private static func decoded(_ name: String) throws -> (fixes: [Fix], counters: DecoderCounters) {
    Line.decoded(try RecordedData.bytes("receiver-logs/\(name)"))
  }

  /// 22 minutes of flight: the sentence count of the other parser, and the position of every GGA,
  /// computed here in the simplest way.
  @Test("every sentence of a flight is read, and every position is exact")
  func everySentenceOfAFlightIsRead() throws {
    let (fixes, counters) = try Self.decoded("nmea1.log")
    let expected = try RecordedData.lines("receiver-logs/nmea1.log.expected")
    #expect(Int(counters.nmeaSentences) == expected.count)
    #expect(counters.refused.allSatisfy { $0.count == 0 })
    let places = try RecordedData.lines("receiver-logs/nmea1.log")
      .map { String(decoding: $0, as: UTF8.self) }
      .filter { $0.contains("GGA") }
      .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    #expect(fixes.count == places.count)
    var lost = 0
    for (fix, fields) in zip(fixes, places) {
      let hasFix = fields[6] != "0" && fields[6] != ""
      if (fix.mode != .none) != hasFix { lost += 1 }
      guard let position = fix.position, hasFix else { continue }
      #expect(abs(position.latitude.value - Self.degrees(fields[2], digits: 2)) < 1e-12)
      #expect(abs(position.longitude.value - Self.degrees(fields[4], digits: 3)) < 1e-12)
    }
    // This receiver begins its cycle with GSA. A recording has no silences to show that, so "no
    // fix" applies one epoch early at each of the two outages.
    #expect(lost == 2)
  }

  private static func degrees(_ text: Substring, digits: Int) -> Double {
    let whole = Double(text.prefix(digits)) ?? .nan
    let minutes = Double(text.dropFirst(digits)) ?? .nan
    return whole + minutes / 60
  }

  /// NMEA, UBX and RTCM on one line, whole and damaged.
  @Test(
    "of mixed lines every frame is read, whole or damaged",
    arguments: [
      ("pygpsdata-MIXED.log", 39, 8, 300, 0, 0), ("pygpsdata-MIXED3.log", 3, 4, 3, 0, 0),
      ("pygpsdata-MIXED3BADCK.log", 2, 3, 1, 0, 1), ("pygpsdata-MIXED-RTCM3.log", 2, 2, 1, 7, 0),
      ("pygpsdata-MIXED-RTCM3BADCRC.log", 2, 2, 1, 6, 0), ("pygpsdata-BADEOF1.log", 1, 0, 3, 0, 0),
      ("pygpsdata-BADHDR.log", 1, 0, 2, 0, 0), ("pygpsdata-NMEA.log", 1, 21, 0, 0, 0),
    ])
  func framesOfMixedLinesAreRead(
    name: String, fixes: Int, sentences: UInt64, frames: UInt64, corrections: UInt64,
    badFrames: UInt64
  ) throws {
    let decoded = try Self.decoded(name)
    #expect(decoded.fixes.count == fixes)
    #expect(decoded.counters.nmeaSentences == sentences)
    #expect(decoded.counters.ubxFrames == frames)
    #expect(decoded.counters.rtcmFrames == corrections)
    #expect(decoded.counters.badUBXChecksums == badFrames)
  }

  /// A receiver that sends every fix in both protocols: one fix per second.
  @Test("both protocols at once give one fix per second")
  func bothLanguagesGiveOneFix() throws {
    let bytes = try RecordedData.bytes("gpsd-logs/ublox-zed-f9p_hpg1.11.log")
    let (fixes, counters) = Line.decoded(bytes)
    #expect(counters.nmeaSentences > 2000 && counters.ubxFrames > 1900)
    #expect(counters.repeatedEpochs == 0)
    let times = fixes.filter { $0.mode != .none }.compactMap(\.time)
    #expect(Set(times).count == times.count)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }
}
