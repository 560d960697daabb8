import Core
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct BeaconFrameTests {
  private static let airLocate = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"

  private static func uuid(_ text: String = airLocate) throws -> UniqueID {
    try #require(UniqueID(text))
  }

  private static func bytes(_ digits: String) throws -> [UInt8] {
    try #require(Hexadecimal.bytes(digits.replacing(" ", with: "")))
  }

  @Test("an iBeacon's advertisement, byte for byte both ways") func iBeacon() throws {
    let air = try Self.bytes(
      "02 01 06 1a ff 4c 00 02 15 e2c56db5dffb48d2b060d0f5a71096e0 00 2a ff fe c5")
    let frame = BeaconFrame(
      .iBeacon(uuid: try Self.uuid(), major: 42, minor: 65_534), strengthAtOneMetre: -59)
    #expect(BeaconFrame(AdvertisingData(parsing: air)) == frame)
    #expect(frame.advertisingData.bytes == air)
    #expect(frame.beacon.description == "ibeacon:\(Self.airLocate)/42/65534")
    // Some beacons send no flags.
    #expect(BeaconFrame(AdvertisingData(parsing: Array(air.dropFirst(3)))) == frame)
  }

  @Test("an Eddystone-UID's advertisement, byte for byte both ways") func eddystone() throws {
    let air = try Self.bytes(
      "02 01 06 03 03 aa fe 17 16 aa fe 00 ee 00112233445566778899 aabbccddeeff 0000")
    let uid = try #require(
      EddystoneUID(
        namespace: try Self.bytes("00112233445566778899"), instance: try Self.bytes("aabbccddeeff"))
    )
    let frame = BeaconFrame(.eddystone(uid), strengthAtOneMetre: -18 - 41)
    #expect(BeaconFrame(AdvertisingData(parsing: air)) == frame)
    #expect(frame.advertisingData.bytes == air)
    #expect(frame.beacon.description == "eddystone:00112233445566778899/aabbccddeeff")
    #expect(
      BeaconFrame(serviceData: Array(air[11..<29]), of: BeaconFrame.eddystone) == frame,
      "without the reserved bytes")
  }

  @Test(
    "an advertisement that is not a beacon frame is refused",
    arguments: [
      "", "00", "02", "ff", "02 01 06", "1a ff 4c 00", "03 ff 4c 00",
      // Another company, another type, another length; an Apple "nearby action".
      "1a ff 4d 00 02 15 e2c56db5dffb48d2b060d0f5a71096e0 0001 0002 c5",
      "1a ff 4c 00 03 15 e2c56db5dffb48d2b060d0f5a71096e0 0001 0002 c5",
      "1a ff 4c 00 02 16 e2c56db5dffb48d2b060d0f5a71096e0 0001 0002 c5",
      "19 ff 4c 00 02 15 e2c56db5dffb48d2b060d0f5a71096e0 0001 0002",
      "07 ff 4c 00 10 05 01 18",
      // A URL, telemetry, an ephemeral identifier; another service.
      "09 16 aa fe 10 f4 00 61 62 63", "11 16 aa fe 20 00 0b 18 13 00 00 00 14 67 00 00 2a c4",
      "0d 16 aa fe 30 f4 1122334455667788",
      "17 16 ab fe 00 ee 00112233445566778899 aabbccddeeff 0000",
    ])
  func others(air: String) throws {
    #expect(BeaconFrame(AdvertisingData(parsing: try Self.bytes(air))) == nil)
  }

  @Test(
    "any advertisement is parsed to its end, and written as it was read",
    arguments: 1...200 as ClosedRange<UInt64>)
  func anything(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let bytes = random.bytes(Int(random.next() % 64))
    let data = AdvertisingData(parsing: bytes)
    #expect(bytes.starts(with: data.bytes), "what was whole is there")
    #expect(AdvertisingData(parsing: data.bytes) == data)
    _ = BeaconFrame(data)
    _ = BeaconFrame(manufacturerData: bytes, of: BeaconFrame.apple)
    _ = BeaconFrame(serviceData: bytes, of: BeaconFrame.eddystone)
  }
}
