import Core
import TestSupport
import Testing

@testable import Messaging

@Suite struct TopicAreaTests {
  @Test("a box of 20 km is covered by few areas at any position") func few() throws {
    var chance = SplitMix(seed: 1)
    for _ in 0..<2000 {
      let position = Coordinate(
        latitude: Degrees(.random(in: -88...88, using: &chance)),
        longitude: Degrees(.random(in: -180...180, using: &chance)))
      let areas = try #require(TopicArea.covering(TopicArea.box(around: position)))
      #expect(areas.count <= 9 && Set(areas).count == areas.count)
      #expect(areas.contains(TopicArea(of: position)))
    }
  }

  @Test("any position within a board's box is in an area that the board receives")
  func heard() throws {
    var chance = SplitMix(seed: 2)
    let starts = [
      Coordinate(latitude: 48.2, longitude: 16.37), Coordinate(latitude: -17, longitude: 179.99),
      Coordinate(latitude: 85, longitude: -180), Coordinate(latitude: 89.95, longitude: 10),
      Coordinate(latitude: -90, longitude: 0),
    ]
    for start in starts {
      let areas = try #require(TopicArea.covering(TopicArea.box(around: start)))
      for _ in 0..<200 {
        let other = Sphere.destination(
          from: start, bearing: Degrees(.random(in: 0..<360, using: &chance)),
          distance: Metres(.random(in: 0...9990, using: &chance)))
        #expect(areas.contains(TopicArea(of: other)))
      }
    }
  }

  @Test("an area is one topic level, and about as wide as high") func form() {
    let area = TopicArea(of: Coordinate(latitude: 48.2, longitude: 16.37))
    #expect(area.description.allSatisfy { $0.isNumber || $0 == "-" })
    let east = Sphere.destination(
      from: Coordinate(latitude: 48.2, longitude: 16.37), bearing: 90, distance: 45_000)
    #expect(TopicArea(of: east) != area)
  }

  @Test("a country is too large for topics, and invalid positions still have an area")
  func large() {
    let country = GeographicBox(west: 5, south: 47, east: 15, north: 55)
    #expect(TopicArea.covering(country) == nil)
    let world = GeographicBox(west: -180, south: -90, east: 180, north: 90)
    #expect(TopicArea.covering(world) == nil)
    let nowhere = Coordinate(latitude: Degrees(.nan), longitude: Degrees(.infinity))
    #expect(TopicArea(of: nowhere).description == "0-0" || !nowhere.latitude.isFinite)
  }
}
