import Core

/// Some people of one town, whose days cross at the same few places, and who take a walk together
/// at weekends: the first of them guides, and one of the others, a different one each weekend,
/// falls behind.
public struct CompanyLife: Sendable {
  /// When everyone is at the square for the walk, and when the walk is over.
  public static let walk = (gathers: Seconds.hours(10.6), ends: Seconds.hours(13.5))
  private static let start = Seconds.hours(11)
  private static let town = Coordinate(latitude: 53.2194, longitude: 6.5665)

  /// The places of letters.
  public let commonPlaces: [PlannedPlace]
  public let itineraries: [any Itinerary]

  /// - Parameter count: the number of people, at least 2.
  public init(people count: Int, seed: UInt64) {
    let plane = LocalPlane(origin: Self.town)
    func place(_ name: String, _ east: Double, _ north: Double, _ reception: Reception)
      -> PlannedPlace
    {
      PlannedPlace(
        name: name,
        position: plane.coordinate(.init(east: Metres(east), north: Metres(north))),
        reception: reception)
    }
    let square = place("square", 0, 0, .open)
    let common = [
      square, place("café", 140, 80, .indoors), place("bakery", -220, 160, .street),
      place("park", 520, -340, .open), place("library", -380, -260, .indoors),
    ]
    let stations = [
      place("bridge", 450, 250, .open), place("mill", 900, 700, .open),
      place("lake", 500, 1200, .open),
    ]
    commonPlaces = common
    itineraries = (0..<count).map { number in
      let turn = Double(number) / Double(count)
      let home = place("home \(number + 1)", 1500 * (turn - 0.5), 900 - 700 * turn, .indoors)
      let work = place("work \(number + 1)", -1800 + 900 * turn, -1400, .indoors)
      return DailyItinerary(home: home, seed: seed &+ UInt64(number) &* 1_000_003) { day in
        day.isWorkday
          ? Self.workday(&day, common, work: work, home: home)
          : Self.weekend(&day, number, of: count, square, stations, home: home)
      }
    }
  }

  private static func workday(
    _ day: inout Day, _ common: [PlannedPlace], work: PlannedPlace, home: PlannedPlace
  ) -> [PlannedTrip] {
    func one() -> PlannedPlace { common[Int(day.random.next() % UInt64(common.count))] }
    let noon = one()
    let evening = one()
    return [
      PlannedTrip(Day.at(8, 0, scatter: 900), by: .bicycle, to: work),
      PlannedTrip(Day.at(12, 0, scatter: 600), by: .bicycle, to: noon),
      PlannedTrip(Day.after(minutes: 25), by: .bicycle, to: work),
      PlannedTrip(Day.at(17, 0, scatter: 900), by: .bicycle, to: evening),
      PlannedTrip(Day.after(minutes: 20), by: .walk, to: home),
    ]
  }

  /// From station to station, all at the same time; one leaves the second station 25 minutes late.
  private static func weekend(
    _ day: inout Day, _ number: Int, of count: Int, _ square: PlannedPlace,
    _ stations: [PlannedPlace], home: PlannedPlace
  ) -> [PlannedTrip] {
    let lingers = number > 0 && number - 1 == day.number % (count - 1)
    var trips = [PlannedTrip(Day.at(10, 5, scatter: 120), by: .walk, to: square)]
    for (index, station) in stations.enumerated() {
      let late: Seconds = lingers && index == 1 ? .minutes(25) : 0
      let time = start + .minutes(Double(25 * index)) + late
      trips.append(PlannedTrip(.at(time, scatter: 10), by: .walk, to: station))
    }
    trips.append(PlannedTrip(.at(walk.ends - .minutes(45), scatter: 10), by: .walk, to: square))
    trips.append(PlannedTrip(.at(walk.ends + .minutes(10), scatter: 300), by: .walk, to: home))
    return trips
  }
}
