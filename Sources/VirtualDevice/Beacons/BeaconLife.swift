import RadioSignals
import Core

/// A synthetic person whose places have beacons: a shopping street, an office with one per room, a
/// home.
public struct BeaconLife: Sendable {
  /// A place with a beacon.
  public struct Spot: Hashable, Sendable {
    public var place: PlannedPlace
    public var radius: Metres
    public var beacon: BeaconWorld.PlacedBeacon
  }

  let name: String
  public let itinerary: any Itinerary
  public let spots: [Spot]

  public func world(seed: UInt64) -> BeaconWorld { BeaconWorld(spots.map(\.beacon), seed: seed) }

  public static let names = ["street", "office", "home"]

  /// Nil: there is none of that name.
  public init?(_ name: String, seed: UInt64) {
    self.name = name
    switch name {
    case "street": (itinerary, spots) = Self.street(seed)
    case "office": (itinerary, spots) = Self.office(seed)
    case "home": (itinerary, spots) = Self.home(seed)
    default: return nil
    }
  }

  private static let owner = UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")

  private static func spot(
    _ place: PlannedPlace, _ number: Int, radius: Metres, aside: Metres, on plane: LocalPlane
  ) -> Spot {
    guard let owner else { preconditionFailure("the UUID above is one") }
    let middle = plane.point(place.position)
    let position = plane.coordinate(
      .init(east: middle.east + aside, north: middle.north + aside * 0.5))
    let frame = BeaconFrame(
      .iBeacon(uuid: owner, major: 1, minor: UInt16(number)), strengthAtOneMetre: -59)
    return Spot(
      place: place, radius: radius,
      beacon: .init(place.name, frame, at: position, isIndoors: place.reception == .indoors))
  }

  private static func place(
    _ name: String, _ plane: LocalPlane, _ east: Double, _ north: Double,
    _ reception: Reception = .indoors
  ) -> PlannedPlace {
    PlannedPlace(
      name: name,
      position: plane.coordinate(.init(east: Metres(east), north: Metres(north))),
      reception: reception)
  }

  /// Twelve shops 14 m apart on both sides of a street, a kilometre from home; every day three to
  /// five are visited, the others passed.
  private static func street(_ seed: UInt64) -> (any Itinerary, [Spot]) {
    let plane = LocalPlane(origin: Coordinate(latitude: 51.0536, longitude: 3.7251))
    let home = place("home", plane, -900, 300)
    let ends = (
      place("west end", plane, -120, 0, .street), place("east end", plane, 120, 0, .street)
    )
    let shops = (0..<12).map { (number: Int) -> PlannedPlace in
      let (pair, side) = (Double(number / 2), Double(number % 2))
      return place("shop \(number + 1)", plane, pair * 28 + side * 14 - 70, 9 - 18 * side)
    }
    let itinerary = DailyItinerary(home: home, seed: seed) { day in
      var trips = [PlannedTrip(Day.at(9, 30, scatter: 1800), by: .walk, to: ends.0)]
      let visited = shops.filter { _ in day.random.chance(0.33) }
      for shop in visited {
        trips.append(
          PlannedTrip(
            trips.count == 1 ? .afterStaying(40, scatter: 10) : Day.after(minutes: 9), by: .stroll,
            to: shop))
      }
      trips.append(PlannedTrip(Day.after(minutes: 9), by: .stroll, to: ends.1))
      trips.append(PlannedTrip(.afterStaying(60, scatter: 15), by: .walk, to: home))
      return trips
    }
    return (
      itinerary,
      shops.enumerated().map { spot($1, $0 + 1, radius: 10, aside: 2, on: plane) }
    )
  }

  /// Eight rooms of 6 m on both sides of a corridor; workdays have a desk, the kitchen, meetings.
  private static func office(_ seed: UInt64) -> (any Itinerary, [Spot]) {
    let plane = LocalPlane(origin: Coordinate(latitude: 55.6761, longitude: 12.5683))
    let home = place("home", plane, 3000, -800)
    let rooms = (0..<8).map { (number: Int) -> PlannedPlace in
      let (pair, side) = (Double(number / 2), Double(number % 2))
      return place("room \(number + 1)", plane, pair * 7 - 10, 5 - 10 * side)
    }
    let itinerary = DailyItinerary(home: home, seed: seed) { day in
      guard day.isWorkday else { return [] }
      var trips = [PlannedTrip(Day.at(8, 15, scatter: 900), by: .bicycle, to: rooms[0])]
      for _ in 0..<7 {
        let other = rooms[1 + Int(day.random.next() % 7)]
        trips.append(PlannedTrip(Day.after(minutes: 35), by: .stroll, to: other))
        trips.append(PlannedTrip(Day.after(minutes: 25), by: .stroll, to: rooms[0]))
      }
      trips.append(PlannedTrip(Day.after(minutes: 30), by: .bicycle, to: home))
      return trips
    }
    return (
      itinerary,
      rooms.enumerated().map { spot($1, $0 + 1, radius: 4, aside: 1.5, on: plane) }
    )
  }

  /// One beacon; its owner is at home two thirds of the time.
  private static func home(_ seed: UInt64) -> (any Itinerary, [Spot]) {
    let plane = LocalPlane(origin: Coordinate(latitude: 41.1579, longitude: -8.6291))
    let home = place("home", plane, 0, 0)
    let work = place("work", plane, 4200, 900)
    let bakery = place("bakery", plane, -160, 120)
    let itinerary = DailyItinerary(home: home, seed: seed) { day in
      var trips = [
        PlannedTrip(Day.at(6, 50, scatter: 600), by: .walk, to: bakery),
        PlannedTrip(Day.after(minutes: 6), by: .walk, to: home),
      ]
      if day.isWorkday {
        trips.append(PlannedTrip(Day.at(8, 0), by: .bicycle, to: work))
        trips.append(PlannedTrip(Day.at(16, 30, scatter: 900), by: .bicycle, to: home))
      }
      return trips
    }
    return (itinerary, [spot(home, 1, radius: 15, aside: 4, on: plane)])
  }
}
