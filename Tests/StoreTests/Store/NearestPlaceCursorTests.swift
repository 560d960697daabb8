import Core
import Ports
import Records
import TestSupport
import Testing

@testable import Store

/// Which of many places nearby are read, and in which order.
@Suite struct NearestPlaceCursorTests {
  private let folder: ScratchFolder
  private let store: GeoPackageStore

  init() throws {
    folder = try ScratchFolder()
    store = try GeoPackageStore(path: folder.file("life.gpkg"))
  }

  private static func named(_ name: String) -> StoredPlace {
    var place = StoredPlace()
    place.name = name
    return place
  }

  private static func circle(
    _ name: String, _ latitude: Double, _ longitude: Double, radius: Metres = 50
  ) -> PlaceRow {
    .circle(
      StoredCircle(id: 0, centre: position(latitude, longitude), radius: radius, named(name)))
  }

  /// A square of this width in degrees.
  private static func area(
    _ name: String, _ latitude: Double, _ longitude: Double, width: Double
  ) -> PlaceRow {
    let half = width / 2
    let ring = [(-half, -half), (-half, half), (half, half), (half, -half), (-half, -half)].map {
      position(latitude + $0.0, longitude + $0.1)
    }
    return .area(
      StoredArea(id: 0, polygons: [[ring]], latitude: nil, longitude: nil, named(name)))
  }

  private func names(
    around at: Coordinate, _ radius: Metres, atMost most: Int
  ) throws -> (names: [String], isCut: Bool) {
    var names: [String] = []
    let box = SphericalCap(centre: at, radius: radius).box
    let reading = try store.places(near: box, atMost: most) { names.append($0.place.name ?? "") }
    #expect(reading.remarks.isEmpty)
    return (names, reading.isCut)
  }

  @Test("of many areas those that contain the board come first, the smallest first")
  func areas() throws {
    try PlaceEditor(store).put([
      Self.area("far", 52, 5.2, width: 0.01), Self.area("country", 52, 5, width: 8),
      Self.area("north", 52.1, 5, width: 0.01), Self.area("near", 52, 5.05, width: 0.01),
      Self.area("town", 52, 5, width: 0.06), Self.area("elsewhere", 60, 5, width: 1),
    ])
    let all = try names(around: position(52, 5), 20_000, atMost: 10)
    #expect(all.names == ["town", "country", "near", "north", "far"] && !all.isCut)
    let some = try names(around: position(52, 5), 20_000, atMost: 2)
    #expect(some.names == ["town", "country", "near"] && some.isCut)
    // A square has five corners.
    let box = SphericalCap(centre: position(52, 5), radius: 20_000).box
    var nearest = try NearestPlaceCursor(store.connection, around: box, atMost: 10, corners: 14)
    var read: [String?] = []
    while let row = try nearest.next() { read.append(row.place.name) }
    #expect(read == ["town", "country"] && nearest.hasStopped)
  }

  @Test(
    "of many circles the nearest come first, also across the antimeridian",
    arguments: [179.999, -179.999])
  func antimeridian(longitude: Double) throws {
    let side = longitude < 0 ? -1.0 : 1
    try PlaceEditor(store).put([
      Self.circle("third", 10, side * 179.97), Self.circle("second", 10, side * -179.98),
      Self.circle("here", 10, longitude), Self.circle("fourth", 10.05, longitude),
    ])
    let found = try names(around: position(10, longitude), 10_000, atMost: 2)
    #expect(found.names == ["here", "second", "third"] && found.isCut)
  }

  @Test("places of a device always come, and do not count") func following() throws {
    var guide = Self.named("guide")
    guide.device = "guide"
    let rows: [PlaceRow] =
      (0..<5).map { Self.circle("\($0)", 52, 5 + Double($0) / 1000) }
      + [.circle(StoredCircle(id: 0, centre: position(52, 5), radius: 50, guide))]
    try PlaceEditor(store).put(rows)
    let few = try names(around: position(52, 5), 1000, atMost: 5)
    #expect(few.names == ["0", "1", "2", "3", "4", "guide"] && !few.isCut)
    let cut = try names(around: position(52, 5), 1000, atMost: 2)
    #expect(cut.names == ["0", "1", "2", "guide"] && cut.isCut)
  }
}
