import Core

// Days that consist of stops. Hours are UTC.

extension Life {
  /// About forty stops a day, few of them long, never the same ones.
  static let parcelDriver = Life(
    "parcel-driver", "a van, forty stops a day of one to twelve minutes"
  ) { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 52.2297, longitude: 21.0122), seed: seed, life: 5)
    let home = map.place("home", metres: 0...600, .indoors, network: true)
    let depot = map.place("depot", metres: 4000...7000, from: home, .indoors, network: true)
    let round = map
    return DailyItinerary(home: home, seed: seed) { day in
      guard day.weekday < 6 else { return [] }
      var map = round.of(day: day.number)
      var trips = [PlannedTrip(Day.at(5, 30), by: .car, to: depot)]
      var departure = Day.after(minutes: 35)
      var last = depot
      for stop in 0..<40 {
        let isIndoors = day.random.chance(0.3)
        let door = map.place(
          "door \(stop + 1)", metres: stop == 0 ? 2000...4000 : 250...1400, from: last,
          isIndoors ? .indoors : .street)
        trips.append(PlannedTrip(departure, by: .van, to: door))
        let minutes =
          stop == 20
          ? 32
          : day.random.chance(0.3)
            ? day.random.uniform(in: 5.5...12)
            : day.random.uniform(in: 1...3)
        departure = .afterStaying(.minutes(minutes), scatter: 10)
        last = door
      }
      return trips + [
        PlannedTrip(departure, by: .van, to: depot),
        PlannedTrip(Day.after(minutes: 20), by: .car, to: home),
      ]
    }
  }

  /// Away from home all week; every night at another rest area.
  static let longDistanceDriver = Life(
    "long-distance-driver", "a lorry: halls, rest areas, nights in the cab, home on Sunday"
  ) { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 48.2082, longitude: 16.3738), seed: seed, life: 6)
    let home = map.place("home", metres: 0...600, .indoors, network: true)
    let stops = map.route("stop", legs: 9, metres: 60_000...140_000, from: home, .street)
    let halls = stops.map { stop in
      map.place("hall near \(stop.name)", metres: 800...3000, from: stop, .none)
    }
    return DailyItinerary(home: home, seed: seed) { day in
      guard day.weekday < 6 else { return [] }
      guard day.weekday < 5 else {
        return [PlannedTrip(Day.at(6), by: .lorry, to: home)]
      }
      // Out until Wednesday, back after it; 45 minutes of rest after four and a half hours at most
      // (Regulation (EC) 561/2006, article 7).
      let out = [0, 3, 6, 6, 3][day.weekday]
      let leg = day.weekday < 3 ? [0, 1, 2] : [2, 1, 0]
      let places = leg.map { out + $0 }
      return [
        PlannedTrip(Day.at(4, scatter: 900), by: .lorry, to: halls[places[0]]),
        PlannedTrip(Day.after(minutes: 50), by: .lorry, to: stops[places[0]]),
        PlannedTrip(Day.after(minutes: 45), by: .lorry, to: stops[places[1]]),
        PlannedTrip(Day.after(minutes: 16), by: .lorry, to: halls[places[2]]),
        PlannedTrip(Day.after(minutes: 75), by: .lorry, to: stops[places[2]]),
      ]
    }
  }
}
