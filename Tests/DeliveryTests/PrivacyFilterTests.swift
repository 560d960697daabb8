import Core
import Places
import Records
import TestSupport
import Testing

@testable import Delivery

@Suite struct PrivacyFilterTests {
  private static let home = Coordinate(latitude: 52.0907, longitude: 5.1214)
  private static let start = UTCInstant(seconds: 1_777_593_600)
  private static let metresPerDegree = 111_195.0

  private static func area(margin: Metres = 200) throws -> PrivateArea {
    let id = try #require(PlaceID("6f9619ff-8b86-4d01-b42d-00c04fc964ff"))
    let place = try Place(
      id: id,
      PlaceDetails(
        name: "Home", location: .fixed(home), perimeter: .circle(radius: 50), owner: "ann"))
    return try #require(PrivateArea(place, margin: margin))
  }

  private static func privacy(
    cell: Double = 0, hours: String = "", areas: [PrivateArea] = [], pauses: [UplinkPause] = []
  ) throws -> PrivacyFilter {
    let settings = try UplinkSettingsReading.read(
      "[uplink.privacy]\nround_m = \(cell)\nhours = \"\(hours)\"\n")
    return PrivacyFilter(settings.privacy, areas: areas, zone: .utc, pauses: pauses)
  }

  private static func point(_ position: Coordinate, after seconds: Double = 0) -> TrackPoint {
    TrackPoint(
      location: Location(
        time: start + Seconds(seconds), position: position, accuracy: 5, speed: 3, track: 90,
        altitude: 12, source: .gnss), reason: .scheduled)
  }

  private static func position(_ bearing: Double, _ distance: Double) -> Coordinate {
    Sphere.destination(from: home, bearing: Degrees(bearing), distance: Metres(distance))
  }

  @Test("nothing near a private place is sent, and everything further away is")
  func around() throws {
    let privacy = try Self.privacy(areas: [try Self.area()])
    for bearing in stride(from: 0.0, to: 360, by: 3) {
      for distance in [0.0, 40, 90] {
        let near = Self.position(bearing, distance)
        #expect(privacy.released(Self.point(near)) == nil, "\(bearing) \(distance)")
      }
      #expect(privacy.released(Self.point(Self.position(bearing, 420))) != nil, "\(bearing)")
    }
  }

  @Test("the centre of the suppressed area is not the place") func shifted() throws {
    let privacy = try Self.privacy(areas: [try Self.area(margin: 1000)])
    var edges: [Double] = []
    for bearing in stride(from: 0.0, to: 360, by: 22.5) {
      let open = stride(from: 0.0, to: 3000, by: 10).first { distance in
        privacy.released(Self.point(Self.position(bearing, distance))) != nil
      }
      edges.append(try #require(open))
    }
    #expect((edges.max() ?? 0) - (edges.min() ?? 0) >= 450)
    #expect((edges.min() ?? 0) > 250)
  }

  @Test("a position that may be inside is treated as inside") func uncertain() throws {
    let privacy = try Self.privacy(areas: [try Self.area()])
    var point = Self.point(Self.position(90, 1500))
    #expect(privacy.released(point) != nil)
    point.location.accuracy = 2000
    #expect(privacy.released(point) == nil)
  }

  @Test("of a private place nothing is sent: no crossing, no alert, no visit, not the place")
  func kinds() throws {
    let area = try Self.area()
    let privacy = try Self.privacy(areas: [area])
    let far = Self.position(90, 5000)
    func crossing(_ uuid: String, _ position: Coordinate) -> Crossing {
      Crossing(
        id: 1, .entered, time: Self.start, latest: Self.start, place: (uuid, "Home", 1),
        position: position, accuracy: 5, distance: 1, probabilityInside: 0.9)
    }
    #expect(privacy.released(crossing(area.uuid, far)) == nil)
    #expect(privacy.released(crossing("other", Self.home)) == nil)
    #expect(privacy.released(crossing("other", far)) != nil)
    let destination = Destination(
      id: 1, position: Self.home, radius: 10, visits: 9, totalDwell: 3600)
    #expect(privacy.released(destination) == nil)
    var notice = Notice(
      id: 1, time: Self.start, alert: 1, name: "a", kind: .alert(.enter), text: "at Home")
    #expect(privacy.released(notice) == nil, "nobody knows what it is about")
    notice.position = far
    #expect(privacy.released(notice) != nil)
    notice.placeUUID = area.uuid
    #expect(privacy.released(notice) == nil)
    let heard = CoarseObservation(
      received: .boot(1), time: Self.start, position: far, accuracy: 10, source: "wifi")
    #expect(privacy.released(heard) == nil, "what was heard tells where it was")
    #expect(PrivacyFilter.none.released(heard) != nil)
  }

  @Test("records made in a pause or outside of the hours are never sent") func times() throws {
    let pause = UplinkPause(from: Self.start + 10, to: Self.start + 20)
    let paused = try Self.privacy(pauses: [pause])
    let seconds = [9.0, 10, 19, 20]
    #expect(
      seconds.map { paused.released(Self.point(Self.home, after: $0)) != nil }
        == [true, false, false, true])
    let hours = try Self.privacy(hours: "08:00-18:00")
    let clock = [7.99, 8, 17.99, 18].map { $0 * 3600 }
    #expect(
      clock.map { hours.released(Self.point(Self.home, after: $0)) != nil }
        == [false, true, true, false])
  }

  @Test("a visit that overlaps private time is suppressed, and so are destinations")
  func spans() throws {
    func visit(_ from: Double, _ to: Double) -> Visit {
      Visit(
        id: 1, arrival: TimeEstimate(exactly: Self.start + Seconds(from)),
        departure: TimeEstimate(exactly: Self.start + Seconds(to)), position: Self.home,
        accuracy: 5, confidence: 1, locations: 9)
    }
    let pause = UplinkPause(from: Self.start + 10, to: Self.start + 20)
    let paused = try Self.privacy(pauses: [pause])
    #expect(paused.released(visit(0, 9)) != nil)
    #expect(paused.released(visit(0, 30)) == nil)
    let hours = try Self.privacy(hours: "08:00-18:00")
    #expect(hours.released(visit(9 * 3600, 17 * 3600)) != nil)
    #expect(hours.released(visit(17 * 3600, 33 * 3600)) == nil, "the night between them")
    let destination = Destination(
      id: 1, position: Self.home, radius: 10, visits: 9, totalDwell: 3600)
    #expect(paused.released(destination) == nil && hours.released(destination) == nil)
  }

  @Test("rounded positions are the same all over a cell, and consistent with their accuracy")
  func rounding() throws {
    let privacy = try Self.privacy(cell: 2000)
    var random = SplitMix(seed: 5)
    for _ in 0..<500 {
      let position = Coordinate(
        latitude: Degrees(.random(in: -90...90, using: &random)),
        longitude: Degrees(.random(in: -180...180, using: &random)))
      let released = privacy.released(Self.point(position)) as? TrackPoint
      let location = try #require(released).location
      #expect(location.altitude == nil && location.speed == nil && location.track == nil)
      let north = abs(location.position.latitude.value - position.latitude.value)
      #expect(north * Self.metresPerDegree <= 1000.001)
      #expect(location.accuracy >= 1420)
      let again = privacy.released(Self.point(location.position)) as? TrackPoint
      #expect(again?.location.position == location.position, "\(position)")
    }
  }
}
