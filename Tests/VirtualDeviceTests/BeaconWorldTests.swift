import RadioSignals
import Core
import Testing

@testable import VirtualDevice

@Suite struct BeaconWorldTests {
  private static func frame(_ number: UInt16) throws -> BeaconFrame {
    let uuid = try #require(UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0"))
    return BeaconFrame(.iBeacon(uuid: uuid, major: 1, minor: number), strengthAtOneMetre: -59)
  }

  @Test("of many beacons, all received ones are among those nearby, and few others")
  func near() throws {
    var random = SeededRandom(seed: 4, stream: 1)
    let plane = LocalPlane(origin: Coordinate(latitude: 52.09, longitude: 5.12))
    func position() -> Coordinate {
      plane.coordinate(
        .init(east: Metres(3000 * random.uniform()), north: Metres(3000 * random.uniform())))
    }
    let world = BeaconWorld(
      try (0..<500).map { number in
        BeaconWorld.PlacedBeacon(
          "\(number)", try Self.frame(UInt16(number)), at: position(), isIndoors: nil)
      }, seed: 9)
    var heard = 0
    for second in 0..<200 as Range<Int64> {
      let state = TrueState(position: position())
      let near = Set(world.near(state.position))
      #expect(near.count < 100)
      for index in world.beacons.indices
      where world.receivedStrength(index, second: second, at: state) != nil {
        heard += 1
        #expect(near.contains(index))
      }
    }
    #expect(heard > 50, "\(heard)")
  }

  @Test("a wall in front weakens a beacon only where there is one") func walls() throws {
    let at = Coordinate(latitude: 52.09, longitude: 5.12)
    let state = TrueState(
      position: Sphere.destination(from: at, bearing: 0, distance: 10), reception: .open)
    let levels = try [true, false, nil].map { (isIndoors: Bool?) in
      BeaconWorld([.init("a", try Self.frame(1), at: at, isIndoors: isIndoors)], seed: 1)
        .mean(0, at: state).value
    }
    #expect(levels[1] == levels[2])
    #expect(
      abs(levels[1] - levels[0] - 8 - 12) < 0.2,
      "8 dB of the front, 12 dB within the house: \(levels)")
  }
}
