import Core
import Records
import Testing

@testable import Places

@Suite struct EdgeLimitTests {
  /// Areas of half a continent each, whose edges take thousands of pieces.
  private static func areas(_ count: UInt8) throws -> [Place] {
    let outer = Drawing.box(west: -20, south: 30, east: 50, north: 70)
    let perimeter = Perimeter.polygons([PerimeterPolygon(outer: outer)])
    return try (0..<count).map { number in
      try Place(id: Drawing.id(number), Drawing.details { $0.perimeter = perimeter })
    }
  }

  @Test("an area without room is left out, and a later smaller one is not")
  func room() throws {
    let areas = try Self.areas(3)
    let pieces = EdgeLimit.pieces(of: areas[0].perimeter)
    #expect(pieces > 5000)
    var allowance = EdgeLimit(2 * pieces + 4)
    #expect(areas.map { allowance.admits($0) } == [true, true, false])
    let small = Drawing.box(west: 5, south: 52, east: 5.001, north: 52.001)
    let house = try Place(
      id: Drawing.id(4),
      Drawing.details { $0.perimeter = .polygons([PerimeterPolygon(outer: small)]) })
    #expect(allowance.admits(house) && !allowance.admits(house))
    #expect(allowance.admits(try Place(id: Drawing.id(5), Drawing.details())))
  }

  /// - Parameter fits: whether all edges fit within a box of this height.
  private static func watch(
    _ places: [Place], fits: (Degrees) -> Bool
  ) -> (watch: PlaceWatch, questions: Int) {
    var watch = PlaceWatch()
    let location = Location(
      time: UTCInstant(seconds: 1_800_000_000), position: Drawing.at(52, 5), accuracy: 5,
      source: .gnss)
    var effects = watch.step(.presence(.located(location)), at: .zero, date: location.time)
    var questions = 0
    while case .find(let box, _, let request)? = effects.first(where: { effect in
      if case .find = effect { true } else { false }
    }) {
      questions += 1
      let isCut = !fits(box.north - box.south)
      effects = watch.step(.found(places, request: request, isCut: isCut), at: .zero, date: nil)
    }
    return (watch, questions)
  }

  @Test("with more edges than can be kept, the nearer ones are watched") func narrowed() throws {
    let places = try Self.areas(3)
    // 16 km, then 4 km.
    let near = Self.watch(places) { $0 < 0.1 }
    #expect(near.questions == 2 && !near.watch.isCrowded)
    #expect(
      near.watch.places.allSatisfy { $0.place.perimeter == .polygons([]) },
      "the region has the edges")
    let crowd = Self.watch(places) { _ in false }
    #expect(crowd.questions == 4 && crowd.watch.isCrowded && crowd.watch.places.count == 3)
  }

  @Test("circles and small areas take almost no room") func few() throws {
    #expect(EdgeLimit.pieces(of: .circle(radius: 1000)) == 0)
    let small = Drawing.box(west: 5, south: 52, east: 5.001, north: 52.001)
    #expect(EdgeLimit.pieces(of: .polygons([PerimeterPolygon(outer: small)])) == 4)
  }
}
