import Core
import Records
import Testing

@testable import RadioSignals

@Suite struct NeighbourhoodPositionTests {
  private func found(
    _ hearings: [PseudonymousSignal], _ places: [AccessPointPlace]
  ) -> FingerprintPosition? {
    FingerprintPosition(of: RadioFingerprint(hearings: hearings), among: places)
  }

  private let square = [
    Taught.accessPoint(1, east: -20, north: -20), Taught.accessPoint(2, east: 20, north: -20),
    Taught.accessPoint(3, east: -20, north: 20), Taught.accessPoint(4, east: 20, north: 20),
  ]

  @Test("the board is in the middle of access points of equal strength") func middle() throws {
    let heard = Taught.heard((1, -70), (2, -70), (3, -70), (4, -70))
    let position = try #require(found(heard, square))
    #expect(Sphere.distance(position.position, Taught.here) < 3)
    #expect(position.accessPoints == 4)
  }

  @Test("it is nearer to stronger access points") func weighted() throws {
    let position = try #require(
      found(Taught.heard((1, -50), (2, -80), (3, -80), (4, -80)), square))
    #expect(Sphere.distance(position.position, square[0].position) < 12)
  }

  @Test("one that has moved far away is left out") func outlier() throws {
    let moved = Taught.accessPoint(5, east: 5000, north: 0)
    let heard = Taught.heard((1, -70), (2, -70), (3, -70), (4, -70), (5, -45))
    let position = try #require(found(heard, square + [moved]))
    #expect(position.accessPoints == 4)
    #expect(Sphere.distance(position.position, Taught.here) < 3)
  }

  @Test("two that contradict each other give no location") func contradiction() {
    let far = Taught.accessPoint(5, east: 5000, north: 0)
    #expect(found(Taught.heard((1, -60), (5, -60)), [square[0], far]) == nil)
  }

  @Test("a single one gives a location only if it is well known") func single() {
    #expect(found(Taught.heard((1, -60)), square) != nil)
    let new = AccessPointPlace(PseudonymousSignal(pseudonym: 9, strength: -60), at: Taught.fix())
    #expect(found(Taught.heard((9, -60)), [new]) == nil)
  }

  @Test("unknown, doubted or mobile access points give no location") func unknown() {
    #expect(found(Taught.heard((7, -60), (8, -60)), square) == nil)
    #expect(found([], square) == nil)
    let doubted = square.map { Self.place($0, doubt: AccessPointPlace.doubtLimit, isMobile: false) }
    let mobile = square.map { Self.place($0, doubt: 0, isMobile: true) }
    let heard = Taught.heard((1, -60), (2, -60))
    #expect(found(heard, doubted) == nil)
    #expect(found(heard, mobile) == nil)
  }

  private static func place(
    _ place: AccessPointPlace, doubt: Int, isMobile: Bool
  ) -> AccessPointPlace {
    AccessPointPlace(
      pseudonym: place.pseudonym, position: place.position, weight: place.weight,
      spread: place.spread, reach: place.reach, strength: place.strength, fixes: place.fixes,
      days: place.days, lastReception: place.lastReceived, doubt: doubt, isMobile: isMobile)
  }

  @Test("the radius is larger where strengths differ from the learnt ones")
  func honest() throws {
    let same = try #require(found(Taught.heard((1, -60), (2, -60), (3, -60), (4, -60)), square))
    let other = try #require(found(Taught.heard((1, -84), (2, -84), (3, -84), (4, -84)), square))
    #expect(other.accuracy > same.accuracy * 1.5)
  }

  @Test("of a scan the strongest are kept, each once, under pseudonyms") func scan() {
    let pseudonyms = Pseudonyms(salt: [UInt8](repeating: 3, count: 16))
    var signals = (0..<10_000).map {
      AccessPointSignal(bssid: "00:00:00:00:00:\($0)", strength: Double(-$0 % 60) - 30)
    }
    signals.append(AccessPointSignal(bssid: "x", strength: .nan))
    let many = RadioFingerprint(AccessPointScan(signals), pseudonyms: pseudonyms)
    #expect(many.signals.count == RadioFingerprint.most)
    #expect(many.signals.allSatisfy { $0.strength == -30 })
    let twice = AccessPointScan([
      AccessPointSignal(bssid: "a", strength: -80), AccessPointSignal(bssid: "a", strength: -50),
    ])
    #expect(
      RadioFingerprint(twice, pseudonyms: pseudonyms).signals
        == [PseudonymousSignal(pseudonym: pseudonyms.of("a"), strength: -50)])
  }
}
