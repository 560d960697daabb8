import Core
import Records
import Testing

@Suite struct RenumberingTests {
  static let time = TimeEstimate(exactly: UTCInstant(seconds: 1_780_000_000))

  static func visit(_ id: Int64, destination: Int64?) -> Visit {
    Visit(
      id: id, arrival: time, departure: time, position: Coordinate(latitude: 53, longitude: 6),
      accuracy: 5, confidence: 0.9, locations: 4, destination: destination)
  }

  static let destination = Destination(
    id: 3, position: Coordinate(latitude: 53, longitude: 6), radius: 5, visits: 1, totalDwell: 60)

  @Test("ids and references to them rise together, by the highest of their kind")
  func references() throws {
    let shift = try #require(Renumbering(aboveVisit: 100, destination: 20, session: 1000))
    let location = Location(
      time: Self.time.estimate, position: Coordinate(latitude: 53, longitude: 6), accuracy: 5,
      source: .gnss)
    #expect(
      shift(.trackPoint(TrackPoint(location: location, reason: .shape, session: 7)))
        == .trackPoint(TrackPoint(location: location, reason: .shape, session: 1007)))
    #expect(
      shift(.visit(Self.visit(2, destination: 3))) == .visit(Self.visit(102, destination: 23)))
    #expect(
      shift(.visit(Self.visit(2, destination: nil))) == .visit(Self.visit(102, destination: nil)))
    #expect(shift(.visitWithdrawn(id: 2)) == .visitWithdrawn(id: 102))
    #expect(
      shift(.session(GnssSession(id: 7, on: nil))) == .session(GnssSession(id: 1007, on: nil)))
    var destination = Self.destination
    destination.id = 23
    #expect(shift(.destination(Self.destination)) == .destination(destination))
    #expect(shift(.trackerState("{}")) == .trackerState("{}"))
  }

  @Test("ids beyond JSON's range are refused, and those below one are ignored")
  func bounds() {
    #expect(Renumbering(aboveVisit: .max, destination: 0, session: 0) == nil)
    #expect(Renumbering(aboveVisit: 0, destination: 1 << 53, session: 0) == nil)
    #expect(Renumbering(aboveVisit: .min, destination: -1, session: 0)?.visits == 0)
  }
}
