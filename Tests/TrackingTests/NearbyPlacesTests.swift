import Core
import Places
import Testing

@testable import Tracking

@Suite struct NearbyPlacesTests {
  private static let at = PlaceExamples.at
  private static let here = PlaceExamples.position(east: 0)

  /// A reference to the places, so that mutating calls work inside expectations.
  private final class Boxed {
    private var places = NearbyPlaces(reach: 10_000)

    func located(at position: Coordinate, now: BootInstant) {
      places.located(at: position, now: now)
    }
    func takeSearch() -> SphericalCap? { places.takeSearch() }
    func isAwaited(at now: BootInstant) -> Bool { places.isAwaited(at: now) }
    func found(_ targets: [PlaceTarget], radius: Metres = 10_000) {
      let cap = SphericalCap(centre: NearbyPlacesTests.here, radius: radius)
      places.found(targets, within: cap)
    }
    func nearest(to position: Coordinate) -> NearbyPlaces.Nearest? {
      places.nearest(to: position)
    }
  }

  @Test("a box of 10 km in every direction is requested, every ten minutes at most")
  func box() throws {
    let places = Boxed()
    #expect(places.takeSearch() == nil)
    places.located(at: Self.here, now: Self.at(0))
    let box = try #require(places.takeSearch()).box
    for corner in [
      Coordinate(latitude: box.north, longitude: Self.here.longitude),
      Coordinate(latitude: box.south, longitude: Self.here.longitude),
      Coordinate(latitude: Self.here.latitude, longitude: box.west),
      Coordinate(latitude: Self.here.latitude, longitude: box.east),
    ] {
      let reach = Sphere.distance(Self.here, corner)
      #expect((reach - 10_000).magnitude < 5, "\(reach)")
    }
    #expect(places.takeSearch() == nil, "once")
    places.located(at: Self.here, now: Self.at(599))
    #expect(places.takeSearch() == nil)
    places.located(at: Self.here, now: Self.at(600))
    #expect(places.takeSearch() != nil)
  }

  @Test("at the pole and at the antimeridian there is a box, too") func edgesOfTheMap() throws {
    for position in [
      Coordinate(latitude: 90, longitude: 0), Coordinate(latitude: -89.99, longitude: 10),
      Coordinate(latitude: 0, longitude: 180), Coordinate(latitude: 52, longitude: -179.99),
    ] {
      let places = Boxed()
      places.located(at: position, now: Self.at(0))
      #expect(try #require(places.takeSearch()).box.contains(position))
    }
  }

  @Test("if only nearer places could be returned it requests again after half the way")
  func crowded() throws {
    let places = Boxed()
    places.located(at: Self.here, now: Self.at(0))
    _ = places.takeSearch()
    places.found([], radius: 500)
    places.located(at: PlaceExamples.position(east: 249), now: Self.at(10))
    #expect(places.takeSearch() == nil)
    places.located(at: PlaceExamples.position(east: 251), now: Self.at(20))
    #expect(try #require(places.takeSearch()).radius == 1000)
    places.located(at: PlaceExamples.position(east: 300), now: Self.at(25))
    #expect(places.takeSearch() == nil, "the answer is on its way")
  }

  @Test("after half the box it requests again, even sooner, as on a motorway")
  func fast() throws {
    let places = Boxed()
    places.located(at: Self.here, now: Self.at(0))
    _ = places.takeSearch()
    places.found([], radius: 10_000)
    places.located(at: PlaceExamples.position(east: 4990), now: Self.at(150))
    #expect(places.takeSearch() == nil)
    places.located(at: PlaceExamples.position(east: 5010), now: Self.at(151))
    #expect(try #require(places.takeSearch()).radius == 10_000)
  }

  @Test("without a position there is no request") func nowhere() {
    let places = Boxed()
    places.located(at: PlaceExamples.nowhere.position, now: Self.at(0))
    #expect(places.takeSearch() == nil)
    places.found([PlaceExamples.place(east: 0)])
    #expect(places.nearest(to: PlaceExamples.nowhere.position) == nil)
    #expect(places.nearest(to: Self.here) != nil, "and it does not spoil what follows")
  }

  @Test("the first answer has a timeout of ten seconds") func awaited() {
    let places = Boxed()
    #expect(!places.isAwaited(at: Self.at(0)))
    places.located(at: Self.here, now: Self.at(5))
    #expect(places.isAwaited(at: Self.at(14.9)))
    #expect(!places.isAwaited(at: Self.at(15)))
    places.located(at: Self.here, now: Self.at(700))
    #expect(!places.isAwaited(at: Self.at(701)), "later ones are not")
  }

  @Test("the nearest edge counts, from inside as from outside") func edge() throws {
    let places = Boxed()
    #expect(places.nearest(to: Self.here) == nil)
    places.found([
      PlaceExamples.place(east: 500, radius: 100), PlaceExamples.place(east: 0, radius: 5000),
    ])
    let nearest = try #require(places.nearest(to: Self.here))
    #expect((nearest.distance - 400).magnitude < 1 && !nearest.isInside)
    let within = try #require(places.nearest(to: PlaceExamples.position(east: -4000)))
    #expect((within.distance - 1000).magnitude < 2 && within.isInside)
  }

  @Test("among thousands of places it finds the same one as a full search")
  func thousands() throws {
    let targets = (0..<4000).map { (index: Int) -> PlaceTarget in
      let east = Double(index * 7919 % 20_000) - 10_000
      let north = Double(index * 104_729 % 20_011) - 10_000
      let radius = Double(1 + index % 300)
      return PlaceExamples.place(east: east, north: north, radius: Metres(radius))
    }
    let places = Boxed()
    places.found(targets)
    for step in 0..<200 {
      let position = PlaceExamples.position(
        east: Double(step * 40) - 4000, north: step % 50 == 0 ? 3000 : 0)
      let expected = targets.map { $0.region.signedDistance(from: position).magnitude }.min()
      #expect(places.nearest(to: position)?.distance == expected)
    }
  }

  @Test("new places replace the old ones") func replaced() {
    let places = Boxed()
    places.found([PlaceExamples.place(east: 50)])
    _ = places.nearest(to: Self.here)
    places.found([PlaceExamples.place(east: 800), PlaceExamples.place(east: 20)])
    #expect(places.nearest(to: Self.here).map { $0.distance < 20 } == true)
    places.found([])
    #expect(places.nearest(to: Self.here) == nil)
  }
}
