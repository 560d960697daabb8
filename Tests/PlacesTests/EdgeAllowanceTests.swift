import Quantities
import Records
import Testing

@testable import Places

@Suite struct EdgeAllowanceTests {
  /// Half a continent each, whose edges take thousands of pieces.
  private static func areas(_ count: UInt8) throws -> [Place] {
    let outer = Drawing.box(west: -20, south: 30, east: 50, north: 70)
    let perimeter = Perimeter.polygons([PerimeterPolygon(outer: outer)])
    return try (0..<count).map { number in
      try Place(id: Drawing.id(number), Drawing.details { $0.perimeter = perimeter })
    }
  }

  @Test("of areas that have too many edges together as many are watched as can be, and it says so")
  func crowded() throws {
    let places = try Self.areas(200)
    let pieces = EdgeAllowance.pieces(of: places[0].perimeter)
    let most = EdgeAllowance.most / pieces
    #expect(pieces > 5000 && most < places.count)
    var watch = PlaceWatch()
    let location = Location(
      time: UTCInstant(seconds: 1_800_000_000), position: Drawing.at(52, 5), accuracy: 5,
      source: .gnss)
    var effects = watch.step(.presence(.located(location)), at: .zero, date: location.time)
    var questions = 0
    while case .find(_, _, let request)? = effects.first(where: { effect in
      if case .find = effect { true } else { false }
    }) {
      questions += 1
      effects = watch.step(.found(places, request: request, isCut: false), at: .zero, date: nil)
    }
    #expect(questions == 1, "reading so many takes long")
    #expect(watch.isCrowded && watch.places.count == most)
    #expect(
      watch.places.allSatisfy { $0.place.perimeter == .polygons([]) }, "the region has the edges")
  }

  @Test("circles and small areas take next to nothing") func few() throws {
    #expect(EdgeAllowance.pieces(of: .circle(radius: 1000)) == 0)
    let small = Drawing.box(west: 5, south: 52, east: 5.001, north: 52.001)
    #expect(EdgeAllowance.pieces(of: .polygons([PerimeterPolygon(outer: small)])) == 4)
  }
}
