import Core
import GNSS
import Testing

@Suite struct UBXDecoderTests {
  @Test("a position that the receiver flags as invalid is left out")
  func invalidPosition() {
    let fixes = Line.decoded(UBX.pvt(second: 1, flags3: 1) + UBX.pvt(second: 2)).fixes
    #expect(fixes.map(\.mode) == [.none, .threeD])
    #expect(fixes.map(\.hasPosition) == [false, true])
  }

  @Test("NAV-PVT gives a whole fix") func navPVTGivesAWholeFix() throws {
    let fix = try #require(Line.decoded(UBX.pvt(second: 3)).fixes.first)
    #expect(
      fix.time == CivilTime(year: 2026, month: 5, day: 1, hour: 12, second: 3).instant)
    #expect(fix.mode == .threeD && fix.quality == .autonomous)
    #expect(fix.position?.latitude == 52.071_666_7 && fix.position?.longitude == 5.12)
    #expect(fix.altitudeHAE == 50 && fix.altitudeMSL == 5 && fix.geoidSeparation == 45)
    #expect(fix.horizontalError == 2.5 && fix.verticalError == 4 && fix.speedError == 0.3)
    #expect(fix.speed == 1.5 && fix.track == 270 && fix.climb == 0.25)
    #expect(fix.satellitesUsed == 9 && fix.pdop == 1.9)
  }

  /// The clock fields are rounded up and the fraction is negative.
  @Test("a negative fraction belongs to the second before")
  func aNegativeFractionIsTheSecondBefore() throws {
    let fix = try #require(Line.decoded(UBX.pvt(second: 3, nano: -200_000_000)).fixes.first)
    #expect(
      fix.time
        == CivilTime(
          year: 2026, month: 5, day: 1, hour: 12, second: 2, nanosecond: 800_000_000
        ).instant)
  }

  @Test("the quality of a fix follows from its type and flags") func qualityFollowsFromTheFlags() {
    let quality = { (type: UInt8, flags: UInt8) in
      Line.decoded(UBX.pvt(second: 0, fixType: type, flags: flags)).fixes.first?.quality
    }
    #expect(quality(3, 0x03) == .differential)
    #expect(quality(3, 0x41) == .rtkFloat)
    #expect(quality(3, 0x81) == .rtkFixed)
    #expect(quality(4, 0x01) == .gnssAndDeadReckoning)
    #expect(quality(0, 0x00) == .unknown)
  }

  @Test("a position beyond the pole is refused") func aPlaceBeyondThePoleIsRefused() {
    let (fixes, counters) = Line.decoded(UBX.pvt(second: 0, latitude: 910_000_000))
    #expect(fixes.map(\.mode) == [FixMode.none])
    #expect(counters.impossiblePlaces == 1)
  }

  /// A receiver older than NAV-PVT: position, speed, status and time arrive separately.
  @Test("position, speed, status and time of older messages form one fix")
  func olderMessagesJoin() throws {
    let week: [UInt8] = UBX.bytes(UInt32(475_200_000))
    var bytes = UBX.frame(
      0x01, 0x02,
      week + UBX.bytes(Int32(51_200_000)) + UBX.bytes(Int32(520_716_667))
        + UBX.bytes(Int32(50_000)) + UBX.bytes(Int32(5_000)) + UBX.bytes(UInt32(2_500))
        + UBX.bytes(UInt32(4_000)))
    bytes += UBX.frame(0x01, 0x03, week + [3, 1, 0, 0] + [UInt8](repeating: 0, count: 8))
    bytes += UBX.frame(0x01, 0x04, week + [0, 0, 190, 0, 0, 0, 120, 0, 90, 0, 0, 0, 0, 0])
    // Week 2416 began on 2026-04-26; 18 leap seconds.
    bytes += UBX.frame(
      0x01, 0x20, week + [0, 0, 0, 0] + UBX.bytes(Int16(2416)) + [18, 7, 0, 0, 0, 0])
    bytes += UBX.frame(0x01, 0x61, week)
    let fix = try #require(Line.decoded(bytes).fixes.first)
    #expect(fix.mode == .threeD && fix.position?.latitude == 52.071_666_7)
    #expect(fix.hdop == 0.9 && fix.pdop == 1.9 && fix.horizontalError == 2.5)
    #expect(
      fix.time
        == CivilTime(year: 2026, month: 5, day: 1, hour: 11, minute: 59, second: 42).instant)
  }

  /// NAV-EOE marks the epoch as complete, so there is no wait.
  @Test("the end of an epoch outputs its fix at once") func endOfEpochHandsOutAtOnce() {
    var decoder = ReceiverDecoder()
    var fixes: [Fix] = []
    let end = UBX.frame(0x01, 0x61, UBX.bytes(UInt32(475_203_000)))
    decoder.feed(UBX.pvt(second: 3) + end, at: .zero) { fixes.append($0) }
    #expect(fixes.count == 1)
  }

  @Test("a clock that is set back does not silence the receiver") func clockSetBack() {
    let ahead = (30...40).flatMap { UBX.pvt(second: $0) }
    let back = (0...29).flatMap { UBX.pvt(second: $0) }
    let fixes = Line.decoded(ahead + back).fixes
    #expect(fixes.count >= 20)
  }

  @Test("a clock that stands still does not silence the receiver") func clockStandsStill() {
    var decoder = ReceiverDecoder()
    var fixes = 0
    for second in 0..<100 {
      let now = BootInstant.zero + Seconds(Double(second))
      decoder.feed(UBX.pvt(second: 3, fixType: 0), at: now) { _ in fixes += 1 }
      decoder.flush(at: now + 0.1) { _ in fixes += 1 }
    }
    #expect(fixes >= 5)
  }

  @Test("NMEA and UBX of one instant are one fix") func nmeaAndUBXOfOneMomentAreOneFix() {
    let nmea = Line.withChecksum("GNRMC,120003.00,A,5204.30000,N,00507.20000,E,1.0,90.0,010526,,,A")
    let (fixes, counters) = Line.decoded(Array(nmea.utf8) + UBX.pvt(second: 3, nano: -3_000))
    #expect(fixes.count == 1)
    #expect(fixes.first?.horizontalError == 2.5)
    #expect(counters.nmeaSentences == 1 && counters.ubxFrames == 1)
  }

  @Test("answers are kept until taken") func answersAreKeptUntilTaken() {
    var decoder = ReceiverDecoder()
    decoder.feed(
      UBX.frame(0x05, 0x01, [0x06, 0x8a]) + UBX.frame(0x05, 0x00, [0x06, 0x3b]), at: .zero
    ) { _ in }
    let answers = decoder.drainAnswers()
    #expect(
      answers == [
        .ubxAcknowledgement(.init(isAccepted: true, messageClass: 0x06, messageID: 0x8a)),
        .ubxAcknowledgement(.init(isAccepted: false, messageClass: 0x06, messageID: 0x3b)),
      ])
    let isEmpty = decoder.drainAnswers().isEmpty
    #expect(isEmpty)
  }

  @Test("payloads that are too short are refused") func shortPayloadsAreRefused() {
    let (fixes, counters) = Line.decoded(UBX.frame(0x01, 0x07, [UInt8](repeating: 0, count: 20)))
    #expect(fixes.isEmpty)
    #expect(counters.malformedFrames == 1)
  }
}
