import Core

// People with weekly routines. Hours are UTC.

extension Life {
  /// Forty kilometres by train, through tunnels; the office has a canteen, the station a shop.
  static let commuter = Life("commuter", "by train to an office 40 km away, shopping on the way") {
    seed in
    var map = Surroundings(
      around: Coordinate(latitude: 45.7578, longitude: 4.8320), seed: seed, life: 1)
    let home = map.place("home", metres: 0...900, .indoors, network: true)
    let station = map.place("station", metres: 500...1100, from: home, .street)
    let terminus = map.place("terminus", metres: 34_000...46_000, from: home, .indoors)
    let office = map.place("office", metres: 400...1200, from: terminus, .indoors, network: true)
    let cafe = map.place("café", metres: 250...500, from: office, .indoors, network: true)
    let shop = map.place("shop", metres: 150...350, from: station, .indoors)
    let market = map.place("market", metres: 900...2000, from: home, .open)
    let friend = map.place("friend's house", metres: 4000...9000, from: home, .indoors)
    return DailyItinerary(home: home, seed: seed) { day in
      guard day.isWorkday else {
        return day.weekday == 5
          ? [
            PlannedTrip(Day.at(8, 30, scatter: 1200), by: .bicycle, to: market),
            PlannedTrip(Day.after(minutes: 30), by: .bicycle, to: home),
          ]
          : [
            PlannedTrip(Day.at(12, scatter: 1800), by: .car, to: friend),
            PlannedTrip(Day.after(minutes: 200), by: .car, to: home),
          ]
      }
      var trips = [
        PlannedTrip(Day.at(5, 40), by: .walk, to: station),
        PlannedTrip(Day.after(minutes: 6), by: .train, to: terminus),
        PlannedTrip(.afterStaying(60, scatter: 15), by: .walk, to: office),
      ]
      if day.random.chance(0.6) {
        trips += [
          PlannedTrip(Day.at(11, 10), by: .walk, to: cafe),
          PlannedTrip(Day.after(minutes: 32), by: .walk, to: office),
        ]
      }
      trips += [
        PlannedTrip(Day.at(15, 45, scatter: 900), by: .walk, to: terminus),
        PlannedTrip(Day.after(minutes: 9), by: .train, to: station),
      ]
      if day.random.chance(0.4) {
        trips.append(PlannedTrip(.afterStaying(30, scatter: 10), by: .walk, to: shop))
        trips.append(PlannedTrip(Day.after(minutes: 14), by: .walk, to: home))
      } else {
        trips.append(PlannedTrip(.afterStaying(30, scatter: 10), by: .walk, to: home))
      }
      return trips
    }
  }

  /// Out in the evening, back in the morning, ten minutes by bicycle between two thick-walled
  /// buildings.
  static let nightNurse = Life("night-nurse", "nights on a ward, days asleep, ten minutes between")
  { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 59.9139, longitude: 10.7522), seed: seed, life: 2)
    let home = map.place("home", metres: 0...700, .none, network: true)
    let ward = map.place("ward", metres: 2400...3200, from: home, .none, network: true)
    let grocer = map.place("grocer", metres: 500...900, from: home, .indoors)
    let pool = map.place("swimming pool", metres: 1200...2500, from: home, .indoors)
    return DailyItinerary(home: home, seed: seed) { day in
      // Four nights of work end on the mornings of Tuesday to Friday.
      var trips: [PlannedTrip] = []
      if (1...4).contains(day.weekday) {
        trips.append(PlannedTrip(Day.at(5, 20), by: .bicycle, to: home))
      }
      if day.weekday == 2 || day.weekday >= 4 {
        trips.append(PlannedTrip(Day.at(14, 30, scatter: 1800), by: .walk, to: grocer))
        trips.append(PlannedTrip(Day.after(minutes: 18), by: .walk, to: home))
      }
      if day.weekday == 5 {
        trips.append(PlannedTrip(Day.at(16, 30), by: .bicycle, to: pool))
        trips.append(PlannedTrip(Day.after(minutes: 80), by: .bicycle, to: home))
      }
      if day.weekday < 4 { trips.append(PlannedTrip(Day.at(19, 10), by: .bicycle, to: ward)) }
      return trips
    }
  }

  /// Two children, one car: many short stops at the same few places.
  static let schoolRun = Life("school-run", "children to school and sports by car, work in between")
  { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 51.4545, longitude: -2.5879), seed: seed, life: 3)
    let home = map.place("home", metres: 0...900, .indoors, network: true)
    let school = map.place("school", metres: 1500...2600, from: home, .street)
    let work = map.place("work", metres: 3000...6000, from: home, .indoors, network: true)
    let shop = map.place("supermarket", metres: 1200...2600, from: school, .indoors)
    let club = map.place("club", metres: 2000...4500, from: home, .indoors)
    let beach = map.place("beach", metres: 9000...16_000, from: home, .open)
    return DailyItinerary(home: home, seed: seed) { day in
      guard day.isWorkday else {
        return day.weekday == 5
          ? []
          : [
            PlannedTrip(Day.at(10, scatter: 1500), by: .car, to: beach),
            PlannedTrip(Day.after(minutes: 150), by: .car, to: home),
          ]
      }
      var trips = [
        PlannedTrip(Day.at(7, 15, scatter: 180), by: .car, to: school),
        PlannedTrip(Day.after(minutes: 7), by: .car, to: work),
        PlannedTrip(Day.at(13, 5), by: .car, to: shop),
        PlannedTrip(Day.after(minutes: 18), by: .car, to: school),
        PlannedTrip(Day.after(minutes: 9), by: .car, to: home),
      ]
      if day.weekday == 1 || day.weekday == 3 {
        trips += [
          PlannedTrip(Day.at(16, 10), by: .car, to: club),
          PlannedTrip(Day.after(minutes: 65), by: .car, to: home),
        ]
      }
      return trips
    }
  }

  /// On foot and slowly, mostly at home.
  static let pensioner = Life(
    "pensioner", "short walks, a bench in the park, cards in the afternoon"
  ) { seed in
    var map = Surroundings(
      around: Coordinate(latitude: 38.7223, longitude: -9.1393), seed: seed, life: 4)
    let home = map.place("home", metres: 0...500, .indoors, network: true)
    let bakery = map.place("bakery", metres: 180...350, from: home, .indoors)
    let bench = map.place("bench", metres: 300...700, from: home, .open)
    let club = map.place("card club", metres: 500...900, from: home, .indoors)
    let doctor = map.place("doctor", metres: 900...1800, from: home, .indoors)
    return DailyItinerary(home: home, seed: seed) { day in
      var trips = [
        PlannedTrip(Day.at(8, scatter: 1500), by: .stroll, to: bakery),
        PlannedTrip(Day.after(minutes: 7), by: .stroll, to: day.random.chance(0.5) ? bench : home),
      ]
      if trips[1].destination == bench {
        trips.append(PlannedTrip(Day.after(minutes: 25), by: .stroll, to: home))
      }
      if day.weekday == 2 {
        trips.append(PlannedTrip(Day.at(13, scatter: 900), by: .bus, to: doctor))
        trips.append(PlannedTrip(Day.after(minutes: 55), by: .bus, to: home))
      } else if day.random.chance(0.5) {
        trips.append(PlannedTrip(Day.at(14, 30, scatter: 900), by: .stroll, to: club))
        trips.append(PlannedTrip(Day.after(minutes: 130), by: .stroll, to: home))
      }
      return trips
    }
  }
}
