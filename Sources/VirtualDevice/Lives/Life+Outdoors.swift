import Core

// Open sky and irregular days. Hours are UTC.

extension Life {
  /// From hut to hut, with rests of ten minutes to an hour.
  static let hiker = Life("hiker", "from hut to hut in the mountains, with rests on the way") {
    seed in
    var map = Surroundings(
      around: Coordinate(latitude: 46.5593, longitude: 8.5614), seed: seed, life: 7)
    let first = map.place("hut 0", metres: 0...3000, .indoors)
    let huts = [first] + map.route("hut", legs: 6, metres: 9000...14_000, from: first, .indoors)
    let round = map
    return DailyItinerary(home: first, seed: seed) { day in
      var map = round.of(day: day.number)
      // Along the huts in one week and back in the next.
      let step = ((day.number % 12) + 12) % 12
      let (from, to) = step < 6 ? (huts[step], huts[step + 1]) : (huts[12 - step], huts[11 - step])
      var trips: [PlannedTrip] = []
      var departure = Day.at(5, 45, scatter: 1200)
      for rest in 0..<3 {
        let spot = map.place(
          "rest \(rest + 1)", metres: 1500...3500,
          from: rest == 0 ? from : trips[rest - 1].destination,
          day.random.chance(0.5) ? .open : .street)
        trips.append(PlannedTrip(departure, by: .walk, to: spot))
        departure = Day.after(minutes: rest == 1 ? 45 : day.random.uniform(in: 9...22))
      }
      return trips + [PlannedTrip(departure, by: .walk, to: to)]
    }
  }

  /// Under sail by day, swinging at anchor or moored by night: never completely at rest.
  static let sailor = Life(
    "sailor", "a yacht: hours under sail, lunch at anchor, nights in harbour"
  ) { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 43.5081, longitude: 16.4402), seed: seed, life: 8)
    let berth = map.place("berth", metres: 0...500, .open, network: true, swing: 2)
    let harbours = (0..<5).map { number in
      map.place("harbour \(number + 1)", metres: 9000...26_000, .open, swing: number == 2 ? 20 : 3)
    }
    let round = map
    return DailyItinerary(home: berth, seed: seed) { day in
      var map = round.of(day: day.number)
      // A day in port now and then.
      guard day.weekday != 3 else { return [] }
      let target = day.weekday == 6 ? berth : harbours[day.weekday % 5]
      let bay = map.place("bay", metres: 3000...6000, from: target, .open, swing: 25)
      return [
        PlannedTrip(Day.at(7, 30, scatter: 2400), by: .sail, to: bay),
        PlannedTrip(Day.after(minutes: day.random.uniform(in: 40...130)), by: .sail, to: target),
      ]
    }
  }

  /// Ridden to work until a night on which it leaves in a closed van.
  static let stolenBicycle = Life(
    "stolen-bicycle", "to work and back until a van takes it at night"
  ) { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 52.3676, longitude: 4.9041), seed: seed, life: 9)
    let home = map.place("rack at home", metres: 0...600, .street)
    let work = map.place("rack at work", metres: 2500...4200, from: home, .open)
    let shop = map.place("rack at a shop", metres: 400...1000, from: home, .street)
    let shed = map.place("shed", metres: 9000...16_000, from: home, .none)
    let corner = map.place("street corner", metres: 5000...9000, from: shed, .open)
    let cellar = map.place("cellar", metres: 1200...3000, from: corner, .none)
    return DailyItinerary(home: home, seed: seed) { day in
      switch day.weekday {
      case 0, 1, 2:
        return [
          PlannedTrip(Day.at(7, 10), by: .bicycle, to: work),
          PlannedTrip(Day.at(15, 30, scatter: 900), by: .bicycle, to: shop),
          PlannedTrip(Day.after(minutes: 13), by: .bicycle, to: home),
        ]
      case 3: return [PlannedTrip(Day.at(1, 40, scatter: 1800), by: .closedVan, to: shed)]
      case 5:
        return [
          PlannedTrip(Day.at(10, scatter: 1800), by: .bicycle, to: corner),
          PlannedTrip(Day.after(minutes: 70), by: .bicycle, to: cellar),
        ]
      // Found.
      case 6: return [PlannedTrip(Day.at(12), by: .closedVan, to: home)]
      default: return []
      }
    }
  }
}
