import Core
import TestSupport
import Testing

@testable import GNSS

/// Time, place and power saving, byte for byte; the frames were read back with pyubx2 1.4.0, field
/// by field.
@Suite struct AssistanceCommandsTests {
  static let moment = CivilTime(
    year: 2026, month: 5, day: 1, hour: 12, minute: 34, second: 56, nanosecond: 250_000_000
  ).instant
  static let position = Coordinate(latitude: 52.0716667, longitude: -5.12)

  @Test("a u-blox 8 gets time and position in a frame each, and no unknown values")
  func timeAndPlaceForUblox8() {
    let m8 = ReceiverCommands(family: .ubloxM8)
    #expect(
      m8.assist(
        time: Self.moment, accuracy: 2.5, position: Self.position, altitude: -12.34, accuracy: 100)
        == [
          Hex.bytes(
            "b562 1340 1800 10000080 ea07 05010c2238 00 80b2e60e 0200 0000 0065cd1d cf60"),
          Hex.bytes("b562 1340 1400 01000000 7b81091f 00c0f2fc 2efbffff 10270000 982b"),
        ])
    #expect(m8.assist(time: nil, accuracy: 1, position: nil, accuracy: 1) == [])
  }

  @Test("a u-blox 6 gets time and position in one frame that flags the known values")
  func timeAndPlaceBeforeUblox8() {
    let six = ReceiverCommands(family: .ublox6)
    #expect(
      six.assist(
        time: Self.moment, accuracy: 2.5, position: Self.position, altitude: -12.34, accuracy: 100)
        == [
          Hex.bytes(
            "b562 0b01 3000 7b81091f 00c0f2fc 2efbffff 10270000 0000 7009 ca3c731c 00000000"
              + "c4090000 00000000 00000000 00000000 23000000 6a28")
        ])
    #expect(
      six.assist(time: nil, accuracy: 2.5, position: Self.position, accuracy: 1e9) == [
        Hex.bytes(
          "b562 0b01 3000 7b81091f 00c0f2fc 00000000 00286bee 0000 0000 00000000 00000000"
            + "c4090000 00000000 00000000 00000000 21000000 7dca")
      ])
  }

  @Test("other families get time and position in their own sentences, or nothing")
  func timeAndPlaceInSentences() {
    let texts = { (family: ReceiverFamily, accuracy: Seconds) in
      ReceiverCommands(family: family).assist(
        time: Self.moment, accuracy: accuracy, position: Self.position, altitude: 12.34,
        accuracy: 100
      ).map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(
      texts(.mediatek, 60) == [
        "$PMTK740,2026,05,01,12,34,56*34\r\n",
        "$PMTK741,52.071667,-5.120000,12,2026,05,01,12,34,56*07\r\n",
      ])
    #expect(
      texts(.airoha, 1) == [
        "$PAIR590,2026,05,01,12,34,56*33\r\n",
        "$PAIR600,52.071667,-5.120000,12.3,100.0,100.0,0.0,100.0*12\r\n",
      ])
    // A time that is too coarse would do harm.
    #expect(texts(.airoha, 10).count == 1)
    #expect(texts(.casic, 1).isEmpty && texts(.other, 1).isEmpty && texts(.simcom, 1).isEmpty)
    // The example of Quectel's protocol specification.
    let quectel = MTKCommand.position(
      Coordinate(latitude: 24.772816, longitude: 121.022636), altitude: 160,
      time: CivilTime(year: 2016, month: 1, day: 1, hour: 12).instant!)
    #expect(
      String(decoding: quectel, as: UTF8.self)
        == "$PMTK741,24.772816,121.022636,160,2016,01,01,12,00,00*17\r\n")
  }

  @Test("power saving is configured with the bytes of each u-blox generation")
  func powerSavingIsSetUp() {
    var setup = UBXPowerSave(
      mode: .cyclic, updatePeriod: 1, searchPeriod: 10, onTime: 2, minimumSearch: 3)
    setup.followsWakeLine = true
    let managed = Hex.bytes(
      "b562 063b 3000 02000000 60100200 e8030000 10270000 00000000 0200 0300"
        + "0000000000000000000000000000000000000000 00000000 0c0d")
    let m8 = ReceiverCommands(family: .ubloxM8)
    #expect(m8.savePower(setup) == [managed, UBXCommand.savesPower(true)])
    #expect(
      ReceiverCommands(family: .ubloxM10).savePower(setup) == [
        Hex.bytes(
          "b562 068a 3300 00010000 0200d040 01000000 0300d040 0a000000 0500d030 0200"
            + "0600d020 03 0a00d010 01 0c00d010 01 0d00d010 01 0100d020 02 adcf")
      ])
    #expect(
      ReceiverCommands(family: .ubloxM10).fullPower
        == Hex.bytes("b562 068a 0900 00010000 0100d020 00 8be6"))
    #expect(
      UBXPower.preset(.aggressive1Hz) == Hex.bytes("b562 0686 0800 00030000 00000000 976f"))
    #expect(UBXPower.preset(.balanced) == Hex.bytes("b562 0686 0800 00010000 00000000 9561"))
    #expect(ReceiverCommands(family: .ublox6).savePower(setup) == [UBXCommand.savesPower(true)])
  }

  /// Values that are not properly known are not sent.
  @Test("hostile numbers neither trap nor reach the receiver", arguments: ReceiverFamily.allCases)
  func hostileNumbersAreNotTold(family: ReceiverFamily) {
    let numbers: [Double] = [
      0, -0.0, 1, -1, 89.9999, 90, 91, -180, 180.1, 1e-9, 1e9, 1e300, -1e300, .infinity,
      -.infinity, .nan,
    ]
    let commands = ReceiverCommands(family: family)
    var random = SplitMix(seed: 77)
    let any = { () -> Double in numbers[Int(random.next() % UInt64(numbers.count))] }
    for _ in 0..<4000 {
      let instant = UTCInstant(nanoseconds: Int64(bitPattern: random.next()) >> (random.next() % 5))
      let position = Coordinate(latitude: Degrees(any()), longitude: Degrees(any()))
      let height = Metres(any())
      let told = commands.assist(
        time: instant, accuracy: Seconds(any()), position: position, altitude: height,
        accuracy: Metres(any()))
      var setup = UBXPowerSave(
        mode: .onOff, updatePeriod: Seconds(any()), searchPeriod: Seconds(any()),
        onTime: Seconds(any()), minimumSearch: Seconds(any()))
      setup.updatesEphemeris = any() > 0
      for bytes in told + commands.savePower(setup) {
        let counters = Line.decoded(bytes).counters
        if counters.nmeaSentences + counters.ubxFrames != 1 || counters.garbageBytes > 0 {
          Issue.record("\(bytes)")
        }
        if bytes.contains(UInt8(ascii: "n")), bytes.first == UInt8(ascii: "$") {
          Issue.record("no number: \(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  @Test("impossible positions and times are left out") func impossiblePlacesAndTimesAreLeftOut() {
    let m8 = ReceiverCommands(family: .ubloxM8)
    let early = CivilTime(year: 1970, month: 1, day: 1).instant
    let beyond = Coordinate(latitude: 91, longitude: 0)
    #expect(m8.assist(time: early, accuracy: 1, position: beyond, accuracy: 1) == [])
  }

  /// Godwit's own decoder converts the weeks back to the same instant.
  @Test("an instant converted to a GPS week comes back within a leap second")
  func weeksComeBackAsTheirMoment() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<1000 {
      let seconds = 400_000_000 + Int64(random.next() % 4_000_000_000)
      let instant = UTCInstant(nanoseconds: seconds * 1_000_000_000)
      let week = try #require(GPSTime.week(of: instant))
      let back = GPSTime.utc(week: week.number, nanosecondsOfWeek: week.nanoseconds, leap: nil)
      let total = Int64(back.day) * 86_400_000_000_000 + back.timeOfDay
      // Around the day of a leap second, the week's own count of leap seconds is the old one.
      #expect((total - instant.nanoseconds).magnitude <= 1_000_000_000)
    }
  }
}
