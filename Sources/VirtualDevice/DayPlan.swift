import Core

/// A named place of the resident's daily life.
public struct PlannedPlace: Hashable, Sendable {
  public var name: String
  public var position: Coordinate
  public var reception: Reception
  /// The BSSID of the access point that the board joins there.
  var network: String?
  /// How far the board drifts from the middle at a mooring or an anchor.
  var swing: Metres = 0
}

/// A mode of travel.
struct TravelMode: Hashable, Sendable {
  var name: String
  var cruise: MetresPerSecond
  /// For both starting and stopping.
  var acceleration: MetresPerSecondSquared
  /// Between stops, lights and crossings.
  var stopSpacing: Metres
  var stopTime: Seconds
  var reception: Reception
  /// Occasional stretches without signal.
  var tunnels: Tunnels?

  /// A stretch without signal after every `spacing` of the path.
  struct Tunnels: Hashable, Sendable {
    var spacing: Metres
    var length: Metres
  }

  static let stroll = TravelMode(
    name: "stroll", cruise: 0.8, acceleration: 0.5, stopSpacing: 150, stopTime: 15, reception: .open
  )
  static let walk = TravelMode(
    name: "walk", cruise: 1.35, acceleration: 0.8, stopSpacing: 400, stopTime: 12, reception: .open)
  static let bicycle = TravelMode(
    name: "bicycle", cruise: 5, acceleration: 0.7, stopSpacing: 700, stopTime: 15, reception: .open)
  static let bus = TravelMode(
    name: "bus", cruise: 11, acceleration: 1, stopSpacing: 500, stopTime: 25, reception: .street)
  static let car = TravelMode(
    name: "car", cruise: 20, acceleration: 1.8, stopSpacing: 2500, stopTime: 20, reception: .street)
  static let van = TravelMode(
    name: "van", cruise: 11, acceleration: 1.5, stopSpacing: 600, stopTime: 15, reception: .street)
  /// The board lies in a metal box.
  static let closedVan = TravelMode(
    name: "closed van", cruise: 14, acceleration: 1.5, stopSpacing: 1200, stopTime: 20,
    reception: .none)
  static let lorry = TravelMode(
    name: "lorry", cruise: 22, acceleration: 0.4, stopSpacing: 40_000, stopTime: 30,
    reception: .open,
    tunnels: Tunnels(spacing: 25_000, length: 700))
  static let train = TravelMode(
    name: "train", cruise: 31, acceleration: 0.5, stopSpacing: 9000, stopTime: 75,
    reception: .street,
    tunnels: Tunnels(spacing: 8000, length: 1500))
  static let sail = TravelMode(
    name: "sail", cruise: 2.8, acceleration: 0.05, stopSpacing: 6000, stopTime: 20, reception: .open
  )
}

/// One trip from where the board is to another place.
public struct PlannedTrip: Hashable, Sendable {
  enum Departure: Hashable, Sendable {
    /// Time of day in UTC; the scatter is a standard deviation.
    case at(Seconds, scatter: Seconds)
    case afterStaying(Seconds, scatter: Seconds)
  }

  var departure: Departure
  var mode: TravelMode
  public var destination: PlannedPlace

  init(_ departure: Departure, by mode: TravelMode, to destination: PlannedPlace) {
    self.departure = departure
    self.mode = mode
    self.destination = destination
  }
}

/// A true stay at one of the places: what visit detection should find.
public struct PlannedStay: Hashable, Sendable {
  public var place: PlannedPlace
  public var arrival: UTCInstant
  public var departure: UTCInstant
}

/// A resident's week: where every day begins, and the trips of each weekday.
public struct DayPlan: Hashable, Itinerary {
  public var home: PlannedPlace
  /// Monday first; every day should end at home.
  public var week: [[PlannedTrip]]

  public init(home: PlannedPlace, week: [[PlannedTrip]]) {
    precondition(week.count == 7, "a week has seven days")
    self.home = home
    self.week = week
  }

  public func trips(dayNumber: Int) -> [PlannedTrip] { week[Day.weekday(dayNumber)] }

  /// A synthetic resident of Groningen: by bus to work on five days with a walk at noon and sports
  /// on two evenings, market and café on Saturday, a walk and a visit by car on Sunday.
  public static let townDweller: DayPlan = {
    func place(
      _ name: String, _ latitude: Degrees, _ longitude: Degrees, _ reception: Reception,
      _ network: String? = nil
    ) -> PlannedPlace {
      PlannedPlace(
        name: name, position: Coordinate(latitude: latitude, longitude: longitude),
        reception: reception,
        network: network)
    }
    func at(_ hour: Double, _ minute: Double, scatter: Seconds = 240) -> PlannedTrip.Departure {
      .at(.hours(hour) + .minutes(minute), scatter: scatter)
    }
    let home = place("home", 53.2012, 6.5591, .indoors, "02:00:00:00:00:01")
    let homeStop = place("bus stop near home", 53.2034, 6.5632, .open)
    let workStop = place("bus stop near work", 53.2391, 6.5338, .open)
    let work = place("work", 53.2405, 6.5362, .indoors, "02:00:00:00:00:02")
    let park = place("park", 53.2437, 6.5301, .open)
    let sports = place("sports hall", 53.2127, 6.5863, .indoors)
    let market = place("market", 53.2178, 6.5674, .street)
    let cafe = place("café", 53.2189, 6.5702, .indoors, "02:00:00:00:00:03")
    let wood = place("wood", 53.1768, 6.5744, .street)
    let friend = place("friend's house", 52.9957, 6.5627, .indoors, "02:00:00:00:00:04")
    let wait = PlannedTrip.Departure.afterStaying(.minutes(4), scatter: 60)
    let onwards = PlannedTrip.Departure.afterStaying(20, scatter: 5)

    let office = [
      PlannedTrip(at(7, 10), by: .walk, to: homeStop),
      PlannedTrip(wait, by: .bus, to: workStop),
      PlannedTrip(onwards, by: .walk, to: work),
      PlannedTrip(at(11, 5), by: .walk, to: park),
      PlannedTrip(.afterStaying(.minutes(14), scatter: 120), by: .walk, to: work),
      PlannedTrip(at(15, 40), by: .walk, to: workStop),
      PlannedTrip(wait, by: .bus, to: homeStop),
      PlannedTrip(onwards, by: .walk, to: home),
    ]
    let evening = [
      PlannedTrip(at(18, 30), by: .bicycle, to: sports),
      PlannedTrip(.afterStaying(.minutes(95), scatter: 300), by: .bicycle, to: home),
    ]
    let saturday = [
      PlannedTrip(at(9, 0, scatter: 900), by: .bicycle, to: market),
      PlannedTrip(.afterStaying(.minutes(35), scatter: 300), by: .walk, to: cafe),
      PlannedTrip(.afterStaying(.minutes(50), scatter: 500), by: .bicycle, to: home),
    ]
    let sunday = [
      PlannedTrip(at(8, 30, scatter: 900), by: .bicycle, to: wood),
      PlannedTrip(.afterStaying(.minutes(25), scatter: 200), by: .bicycle, to: home),
      PlannedTrip(at(13, 0, scatter: 600), by: .car, to: friend),
      PlannedTrip(.afterStaying(.hours(3), scatter: 900), by: .car, to: home),
    ]
    return DayPlan(
      home: home,
      week: [office, office + evening, office, office + evening, office, saturday, sunday])
  }()
}
