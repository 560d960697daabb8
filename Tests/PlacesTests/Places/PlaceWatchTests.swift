import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Places around a board that is located only at the watch's request.
@Suite struct PlaceWatchTests {
  private static func place(
    _ name: String, _ at: Coordinate, radius: Metres = 60, chance: inout SplitMix,
    _ change: (inout PlaceDetails) -> Void = { _ in }
  ) throws -> Place {
    var details = PlaceDetails(
      name: name, location: .fixed(at), perimeter: .circle(radius: radius), owner: "ada")
    change(&details)
    return try Place(id: PlaceID.made(using: &chance), details)
  }

  private static func location(
    _ at: Coordinate, accuracy: Metres = 5, speed: MetresPerSecond? = nil
  ) -> Location {
    Location(
      time: UTCInstant(seconds: 1_780_000_000), position: at, accuracy: accuracy, speed: speed,
      track: nil, altitude: nil, source: .gnss)
  }

  private static let centre = Coordinate(latitude: 52, longitude: 5)

  /// A store and a watch that queries it.
  private struct Bench {
    var places: [Place]
    var watch: PlaceWatch
    var look: PlaceReach.FixRequest?
    var crossings: [PlaceChange] = []
    var queries = 0

    init(_ places: [Place], states: [PlaceZone: PlacePresence.State] = [:], isWanted: Bool = true) {
      self.places = places
      watch = PlaceWatch(states: states)
      if isWanted { _ = watch.step(.wanted([PlaceInterest(.all)]), at: .zero, date: nil) }
    }

    mutating func step(_ event: PlaceEvent, at seconds: Double, date: UTCInstant? = nil) {
      let now = BootInstant.boot(seconds)
      var effects = watch.step(event, at: now, date: date)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .changed(let change): if change.isCrossing { crossings.append(change) }
        case .requestFix(let next): look = next
        case .find(let box, let most, let request):
          queries += 1
          let found = places.filter { place in
            guard case .fixed(let at) = place.location else { return true }
            guard case .circle(let radius) = place.perimeter else { return box.contains(at) }
            return box.contains(at)
              || [0, 90, 180, 270].contains { bearing in
                box.contains(Sphere.destination(from: at, bearing: bearing, distance: radius))
              }
          }
          effects += watch.step(
            .found(Array(found.prefix(most)), request: request, isCut: found.count > most), at: now,
            date: date)
        }
      }
    }

    var told: [String] {
      crossings.map { "\($0.change.to == .inside ? "in" : "out") \($0.place.name)" }
    }
  }

  @Test("without places no fix is requested, and the store is queried only once")
  func none() {
    var bench = Bench([])
    for step in 0..<200 {
      let at = Sphere.destination(
        from: Self.centre, bearing: 90, distance: Metres(Double(step) * 500))
      bench.step(.presence(.located(Self.location(at))), at: Double(step) * 60)
    }
    #expect(bench.look == nil && bench.crossings.isEmpty)
    #expect(bench.queries == 4, "16, 64, 256 and 1,024 km")
  }

  @Test("places in a city are loaded in pieces, and in a desert as a whole") func windows() throws {
    var chance = SplitMix(seed: 1)
    var places: [Place] = []
    for number in 0..<5000 {
      let at = Sphere.destination(
        from: Self.centre, bearing: Degrees(.random(in: 0..<360, using: &chance)),
        distance: Metres(20_000 * Double.random(in: 0...1, using: &chance).squareRoot()))
      places.append(try Self.place("\(number)", at, chance: &chance))
    }
    var bench = Bench(places)
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    #expect(bench.queries == 2, "16 km and 4 km")
    let held = places.count { bench.watch[PlaceZone($0.id)]?.state != nil }
    #expect(held > 20 && held <= 256)
    #expect(!bench.watch.isCrowded)
  }

  @Test("of overlapping places as many as possible are watched, and the excess is reported")
  func crowded() throws {
    var chance = SplitMix(seed: 13)
    let places = try (0..<300).map { try Self.place("\($0)", Self.centre, chance: &chance) }
    var bench = Bench(places)
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    #expect(bench.watch.isCrowded)
    #expect(places.count { bench.watch[PlaceZone($0.id)]?.state == .inside } == 256)
  }

  /// Follows random legs with pauses, and is located at the watch's request.
  @Test(
    "every stay of some length at a place is found in time, with few fixes",
    arguments: 1...6 as ClosedRange<UInt64>)
  func traveller(seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    var places: [Place] = []
    for number in 0..<300 {
      let at = Coordinate(
        latitude: Degrees(52 + .random(in: -0.3...0.3, using: &chance)),
        longitude: Degrees(5 + .random(in: -0.5...0.5, using: &chance)))
      let radius = Metres(.random(in: 50...300, using: &chance))
      places.append(try Self.place("\(number)", at, radius: radius, chance: &chance))
    }
    var bench = Bench(places)
    var at = Self.centre
    var now = 0.0
    var looks = 0
    var stays: [(place: PlaceID, from: Double, to: Double)] = []
    func seen(_ speed: Double) {
      looks += 1
      bench.step(
        .presence(.located(Self.location(at, speed: MetresPerSecond(speed)))), at: now)
    }
    seen(0)
    for leg in 0..<40 {
      let target = leg % 2 == 0 ? places.randomElement(using: &chance)! : nil
      let goal: Coordinate
      if let target, case .fixed(let centre) = target.location {
        goal = centre
      } else {
        goal = Sphere.destination(
          from: at, bearing: Degrees(.random(in: 0..<360, using: &chance)), distance: 3000)
      }
      let speed = Double.random(in: 1.5...14, using: &chance)
      let start = at
      let bearing = Sphere.bearing(from: start, to: goal)
      let length = Sphere.distance(start, goal)
      let began = now
      let arrival = began + length.value / speed
      while let look = bench.look, look.at.seconds < arrival {
        now = max(now + 1, look.at.seconds)
        at = Sphere.destination(
          from: start, bearing: bearing, distance: Metres((now - began) * speed))
        seen(speed)
      }
      (at, now) = (goal, arrival)
      let pause = Double.random(in: 300...3600, using: &chance)
      if let target { stays.append((target.id, arrival, arrival + pause)) }
      while let look = bench.look, look.at.seconds < arrival + pause {
        now = max(now + 1, look.at.seconds)
        seen(0)
      }
      now = arrival + pause
    }
    for stay in stays {
      let entry = bench.crossings.last {
        $0.place.id == stay.place && $0.change.to == .inside
          && $0.change.latest.seconds <= stay.to
      }
      // A large place may have been entered on the way.
      let found = try #require(entry, "\(stay)")
      #expect(found.change.latest.seconds < stay.from + 30, "\(stay)")
    }
    // Rest is not detected here, so fixes are requested during each stay all the time.
    #expect(Double(looks) < now * 0.04, "\(looks) looks in \(now) s")
  }

  @Test(
    "skipping distant places gives the same result as checking everything",
    arguments: 1...10 as ClosedRange<UInt64>)
  func shortcut(seed: UInt64) throws {
    var chance = SplitMix(seed: seed)
    var places: [Place] = []
    for number in 0..<30 {
      let at = Sphere.destination(
        from: Self.centre, bearing: Degrees(.random(in: 0..<360, using: &chance)),
        distance: Metres(.random(in: 0...9000, using: &chance)))
      places.append(
        try Self.place(
          "\(number)", at, radius: Metres(.random(in: 50...900, using: &chance)), chance: &chance))
    }
    var bench = Bench(places)
    var naive = places.sorted { $0.id < $1.id }.map { ($0, PlacePresence($0.region()!)) }
    var expected: [String] = []
    var way = SpeedPlausibility()
    var at = Self.centre
    for step in 0..<600 {
      at = Sphere.destination(
        from: at, bearing: Degrees(.random(in: 0..<360, using: &chance)),
        distance: Metres(.random(in: 0...700, using: &chance)))
      let accuracy = Metres(step % 7 == 0 ? 250 : .random(in: 3...60, using: &chance))
      let location = Self.location(at, accuracy: accuracy)
      bench.step(.presence(.located(location)), at: Double(step) * 30)
      let now = BootInstant.boot(Double(step) * 30)
      let isCredible = way.isCredible(location, at: now)
      for index in naive.indices {
        guard
          let change = naive[index].1.step(.located(location), at: now, isCredible: isCredible),
          change.to == .inside || change.from == .inside
        else { continue }
        expected.append("\(change.to == .inside ? "in" : "out") \(naive[index].0.name)")
      }
    }
    #expect(bench.told == expected && expected.count > 4)
  }

  @Test("among thousands of places a car enters each from outside") func dense() throws {
    var chance = SplitMix(seed: 12)
    var places: [Place] = []
    for row in -30...30 {
      for column in 0..<90 {
        let south = Sphere.destination(
          from: Self.centre, bearing: 180, distance: Metres(Double(row) * 63))
        let at = Sphere.destination(
          from: south, bearing: 90, distance: Metres(Double(column) * 63))
        places.append(try Self.place("\(row),\(column)", at, radius: 25, chance: &chance))
      }
    }
    var bench = Bench(places)
    for second in 0..<360 {
      let at = Sphere.destination(
        from: Self.centre, bearing: 90, distance: Metres(300 + Double(second) * 14))
      bench.step(.presence(.located(Self.location(at, speed: 14))), at: Double(second))
    }
    let entered = bench.crossings.filter { $0.change.to == .inside }
    let found = entered.count { $0.change.from == .unknown }
    #expect(entered.count > 75 && found <= 6, "\(found) of \(entered.count)")
  }

  @Test("an edited place keeps its state, a removed one is gone, a new one is found at once")
  func edited() throws {
    var chance = SplitMix(seed: 3)
    let home = try Self.place("home", Self.centre, chance: &chance)
    var bench = Bench([home])
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    #expect(bench.told == ["in home"])
    var details = home.details
    details.perimeter = .circle(radius: 80)
    bench.places = [try home.changed(to: details)]
    bench.step(.edited, at: 10)
    #expect(bench.watch[PlaceZone(home.id)]?.state == .inside && bench.told == ["in home"])
    bench.places = [try Self.place("new", Self.centre, chance: &chance)]
    bench.step(.edited, at: 20)
    #expect(
      bench.watch[PlaceZone(home.id)]?.state == nil && bench.told == ["in home", "in new"])
    bench.places = []
    bench.step(.edited, at: 30)
    #expect(bench.look == nil)
  }

  @Test("states found in an earlier run are not reported") func restarted() throws {
    var chance = SplitMix(seed: 4)
    let home = try Self.place("home", Self.centre, chance: &chance)
    var bench = Bench([home], states: [PlaceZone(home.id): .inside])
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    #expect(bench.told == [])
    let away = Sphere.destination(from: Self.centre, bearing: 0, distance: 3000)
    bench.step(.presence(.located(Self.location(away))), at: 600)
    #expect(bench.told == ["out home"])
  }

  @Test("a place before or after its lifetime does not exist") func lifetime() throws {
    var chance = SplitMix(seed: 5)
    let from = UTCInstant(seconds: 1_780_000_000)
    let fair = try Self.place("fair", Self.centre, chance: &chance) {
      $0.lifetime = PlaceLifetime(from: from, until: from + 3600)
    }
    var bench = Bench([fair])
    for (seconds, count) in [(-60.0, 0), (60, 1), (3660, 1)] {
      bench.step(
        .presence(.located(Self.location(Self.centre))), at: 100 + seconds,
        date: from + Seconds(seconds))
      #expect(bench.crossings.count == count)
    }
  }

  @Test("a place that begins while the board is there does not count as distant before")
  func begins() throws {
    var chance = SplitMix(seed: 8)
    let from = UTCInstant(seconds: 1_780_000_000)
    let far = Sphere.destination(from: Self.centre, bearing: 0, distance: 8000)
    let fair = try Self.place("fair", far, chance: &chance) { $0.lifetime.from = from }
    var bench = Bench([fair])
    // Measured once while the date is unknown, and skipped since.
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    bench.step(.presence(.located(Self.location(Self.centre))), at: 60)
    bench.step(.presence(.located(Self.location(far))), at: 900, date: from - 60)
    #expect(bench.told == [])
    bench.step(.presence(.located(Self.location(far))), at: 1000, date: from + 60)
    #expect(bench.told == ["in fair"])
  }

  @Test("a fix is due when a reachable place begins, and not for others")
  func beginning() throws {
    var chance = SplitMix(seed: 9)
    let date = UTCInstant(seconds: 1_780_000_000)
    func place(_ name: String, _ distance: Metres, in wait: Seconds) throws -> Place {
      let at = Sphere.destination(from: Self.centre, bearing: 0, distance: distance)
      return try Self.place(name, at, chance: &chance) { $0.lifetime.from = date + wait }
    }
    var near = Bench([try place("near", 9000, in: 3600)])
    near.step(.presence(.located(Self.location(Self.centre))), at: 0, date: date)
    #expect(try #require(near.look).at.seconds == 3600)
    var far = Bench([try place("far", 90_000, in: 3600)])
    far.step(.presence(.located(Self.location(Self.centre))), at: 0, date: date)
    #expect(try #require(far.look).at.seconds > 3600)
  }

  @Test("an answer to an earlier query is ignored") func stale() throws {
    var chance = SplitMix(seed: 10)
    let home = try Self.place("home", Self.centre, chance: &chance)
    var watch = PlaceWatch()
    let first = watch.step(
      .presence(.located(Self.location(Self.centre))), at: .boot(0), date: nil)
    guard case .find(_, _, 1) = first.first else {
      Issue.record("\(first)")
      return
    }
    // Edited before the answer to the first query.
    let second = watch.step(.edited, at: .boot(1), date: nil)
    guard case .find(_, _, 2) = second.first else {
      Issue.record("\(second)")
      return
    }
    #expect(watch.step(.found([home], request: 1, isCut: false), at: .boot(2), date: nil).isEmpty)
    #expect(watch[PlaceZone(home.id)]?.state == nil)
  }

  @Test("a tag edited at rest does not change the known state") func edit() throws {
    var chance = SplitMix(seed: 11)
    let home = try Self.place("home", Self.centre, chance: &chance)
    var bench = Bench([home])
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    bench.step(.presence(.resting(since: .boot(10))), at: 10)
    bench.step(.presence(.located(Self.location(Self.centre))), at: 20)
    var details = home.details
    details.tags = ["own"]
    bench.places = [try home.changed(to: details)]
    bench.step(.edited, at: 30)
    let away = Sphere.destination(from: Self.centre, bearing: 0, distance: 800)
    for second in [100.0, 200, 300] {
      bench.step(.presence(.located(Self.location(away, accuracy: 30))), at: second)
    }
    #expect(bench.told == ["in home"])
  }

  @Test("a place that follows a device reaches a board at rest") func following() throws {
    var chance = SplitMix(seed: 6)
    let guide = try Self.place("guide", Self.centre, radius: 100, chance: &chance) {
      $0.location = .following(FollowedDevice(name: "guide", update: .interval(60)))
    }
    var bench = Bench([guide])
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    #expect(bench.watch[PlaceZone(guide.id)]?.state == .unknown)
    for minute in 1...20 {
      let at = Sphere.destination(
        from: Self.centre, bearing: 90, distance: Metres(2000 - Double(minute) * 100))
      bench.step(.device("guide", at: at), at: Double(minute) * 60)
      bench.step(.device("nobody", at: at), at: Double(minute) * 60)
      bench.step(.presence(.located(Self.location(Self.centre))), at: Double(minute) * 60 + 30)
    }
    #expect(bench.told == ["in guide"])
    #expect(bench.look != nil)
  }

  @Test("detected rest delays the fix, and movement advances it") func rest() throws {
    var chance = SplitMix(seed: 7)
    let shop = try Self.place(
      "shop", Sphere.destination(from: Self.centre, bearing: 0, distance: 500), chance: &chance)
    var bench = Bench([shop])
    bench.step(.presence(.located(Self.location(Self.centre))), at: 0)
    let moving = try #require(bench.look)
    #expect(moving.at.seconds > 20 && moving.at.seconds < 40)
    #expect(abs(moving.accuracy.value - 30) < 0.01)
    bench.step(.presence(.resting(since: BootInstant.boot(1))), at: 1)
    #expect(try #require(bench.look).at.seconds == 1800)
    bench.step(.presence(.moving(since: BootInstant.boot(2))), at: 2)
    #expect(bench.look == moving)
  }
}
