import Core
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct BeaconRegionTests {
  private static let uuid = "e2c56db5-dffb-48d2-b060-d0f5a71096e0"
  private static let other = "e2c56db5-dffb-48d2-b060-d0f5a71096e1"

  private static func beacon(_ uuid: String, _ major: UInt16, _ minor: UInt16) throws
    -> BeaconIdentity
  {
    .iBeacon(uuid: try #require(UniqueID(uuid)), major: major, minor: minor)
  }

  @Test("each number of a region may be a wildcard: a table of all four cases") func wildcards()
    throws
  {
    let all = try BeaconRegion("ibeacon:\(Self.uuid)/*/*")
    let major = try BeaconRegion("ibeacon:\(Self.uuid)/1/*")
    let minor = try BeaconRegion("ibeacon:\(Self.uuid)/*/2")
    let both = try BeaconRegion("ibeacon:\(Self.uuid)/1/2")
    let table: [(BeaconIdentity, [Bool])] = [
      (try Self.beacon(Self.uuid, 1, 2), [true, true, true, true]),
      (try Self.beacon(Self.uuid, 1, 3), [true, true, false, false]),
      (try Self.beacon(Self.uuid, 0, 2), [true, false, true, false]),
      (try Self.beacon(Self.uuid, 0, 0), [true, false, false, false]),
      (try Self.beacon(Self.other, 1, 2), [false, false, false, false]),
    ]
    for (beacon, holds) in table {
      #expect([all, major, minor, both].map { $0.contains(beacon) } == holds, "\(beacon)")
    }
  }

  @Test("a written region is read back") func text() throws {
    let samples = [
      ("ibeacon:\(Self.uuid)", "ibeacon:\(Self.uuid)/*/*"),
      ("iBeacon:\(Self.uuid)/7", "ibeacon:\(Self.uuid)/7/*"),
      ("ibeacon:\(Self.uuid.uppercased())/*/65535", "ibeacon:\(Self.uuid)/*/65535"),
      ("eddystone:00112233445566778899", "eddystone:00112233445566778899/*"),
      (
        "Eddystone:00112233445566778899/AABBCCDDEEFF",
        "eddystone:00112233445566778899/aabbccddeeff"
      ),
    ]
    for (text, canonical) in samples {
      let region = try BeaconRegion(text)
      #expect(region.description == canonical)
      #expect(try BeaconRegion(region.description) == region)
    }
  }

  @Test("the error for an invalid region states the valid forms") func wrong() {
    let samples = [
      ("", "write ibeacon:"), ("altbeacon:1", "write ibeacon:"), ("ibeacon", "write ibeacon:"),
      ("ibeacon:1234", "is not a UUID"), ("ibeacon:\(Self.uuid)/65536", "is not a valid major"),
      ("ibeacon:\(Self.uuid)/1/-1", "is not a valid minor"),
      ("ibeacon:\(Self.uuid)/1/2/3", "write ibeacon:"),
      ("ibeacon:\(Self.uuid)/+1", "is not a valid major"),
      ("ibeacon:\(Self.uuid)/", "is not a valid major"),
      ("eddystone:0011", "20 hexadecimal digits"),
      ("eddystone:00112233445566778899/aabb", "12 hexadecimal digits"),
      ("eddystone:00112233445566778899/aabbccddeefg", "12 hexadecimal digits"),
      ("a\u{1b}[31m:b", "write ibeacon:"),
    ]
    for (text, advice) in samples {
      let error = thrown(BeaconTextError.self) { try BeaconRegion(text) }
      #expect(error?.message.contains(advice) == true, "\(String(describing: error))")
      #expect(error?.message.contains("\u{1b}") == false)
    }
  }
}
