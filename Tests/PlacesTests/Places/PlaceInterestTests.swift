import Core
import Records
import TestSupport
import Testing

@testable import Places

/// The requested alerts determine where and when the board is located.
@Suite struct PlaceInterestTests {
  private static let centre = Coordinate(latitude: 52, longitude: 5)

  private static func place(
    _ name: String, east: Metres, radius: Metres = 60, seed: UInt64,
    _ change: (inout PlaceDetails) -> Void = { _ in }
  ) throws -> Place {
    var chance = SplitMix(seed: seed)
    var details = PlaceDetails(
      name: name, location: .fixed(position(east)), perimeter: .circle(radius: radius),
      owner: "ada")
    change(&details)
    return try Place(id: PlaceID.made(using: &chance), details)
  }

  private static func position(_ east: Metres) -> Coordinate {
    Sphere.destination(from: centre, bearing: 90, distance: east)
  }

  /// A watch whose store has all of its places everywhere.
  private struct Bench {
    var places: [Place]
    var watch = PlaceWatch()
    var look: PlaceReach.FixRequest?
    var changes: [PlaceChange] = []
    var queries = 0

    init(_ places: [Place], _ interests: [PlaceInterest]) {
      self.places = places
      step(.wanted(interests), at: 0)
    }

    mutating func step(_ event: PlaceEvent, at seconds: Double) {
      var effects = watch.step(event, at: .boot(seconds), date: nil)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .changed(let change): changes.append(change)
        case .requestFix(let next): look = next
        case .find(_, _, let request):
          queries += 1
          effects += watch.step(
            .found(places, request: request, isCut: false), at: .boot(seconds), date: nil)
        }
      }
    }

    mutating func locate(_ east: Metres, accuracy: Metres = 5, at seconds: Double) {
      step(
        .presence(
          .located(
            Location(
              time: UTCInstant(seconds: 1_780_000_000), position: position(east),
              accuracy: accuracy))), at: seconds)
    }

    mutating func stand(_ east: Metres, from seconds: Double) {
      for count in 0..<4 { locate(east, at: seconds + Double(count) * 30) }
    }

    var told: [String] {
      changes.filter { $0.change.from != .unknown }.map { change in
        "\(change.change.to) \(change.place.name) +\(Int(change.margin.value))"
      }
    }
  }

  @Test("without interest no fixes are requested, but crossings are still found")
  func none() throws {
    let home = try Self.place("home", east: 0, seed: 1)
    var bench = Bench([home], [])
    bench.stand(100, from: 0)
    #expect(bench.look == nil)
    bench.stand(0, from: 200)
    #expect(bench.look == nil && bench.told == ["inside home +0"])
    bench.step(.wanted([PlaceInterest(.named("work"))]), at: 300)
    #expect(bench.look == nil, "there is no such place far and wide")
    bench.step(.wanted([PlaceInterest(.named("home"))]), at: 400)
    #expect(try #require(bench.look).at.seconds < 420)
    bench.step(.wanted([]), at: 500)
    #expect(bench.look == nil)
  }

  @Test("the nearest place without interest does not count") func nearest() throws {
    let near = try Self.place("near", east: 300, seed: 1)
    let far = try Self.place("far", east: 6060, seed: 2) { $0.tags = ["own"] }
    var bench = Bench([near, far], [PlaceInterest(.tagged("own"))])
    bench.locate(0, at: 0)
    #expect(try #require(bench.look).at.seconds > 200)
    bench.step(.wanted([PlaceInterest(.all)]), at: 1)
    #expect(try #require(bench.look).at.seconds < 25)
  }

  @Test("a zone around a place is entered before it, and is not one of its crossings")
  func margins() throws {
    let home = try Self.place("home", east: 0, seed: 1)
    var bench = Bench([home], [PlaceInterest(.all), PlaceInterest(.all, margin: 300)])
    for (step, east) in [3000.0, 300, 0, 300, 3000].enumerated() {
      bench.stand(Metres(east), from: Double(step) * 600)
    }
    #expect(
      bench.told == [
        "inside home +300", "inside home +0", "outside home +0", "outside home +300",
      ])
    #expect(bench.changes.count { $0.isCrossing } == 2)
    #expect(bench.watch.places.count == 1)
    #expect(bench.watch[PlaceZone(home.id, margin: 300)]?.state == .outside)
    #expect(bench.watch[PlaceZone(home.id, margin: 200)]?.state == nil)
  }

  @Test("zones of other widths are added at once, and unneeded ones are removed")
  func otherMargins() throws {
    let home = try Self.place("home", east: 0, seed: 1)
    var bench = Bench([home], [PlaceInterest(.all)])
    bench.locate(200, at: 0)
    let queries = bench.queries
    bench.step(.wanted([PlaceInterest(.all, margin: 500)]), at: 10)
    #expect(bench.watch[PlaceZone(home.id, margin: 500)]?.state == .inside)
    #expect(bench.queries == queries + 1)
    bench.step(.wanted([PlaceInterest(.all, margin: 500)]), at: 20)
    #expect(bench.queries == queries + 1, "that is what was wanted before")
    bench.step(.wanted([PlaceInterest(.all)]), at: 30)
    #expect(bench.watch[PlaceZone(home.id, margin: 500)]?.state == nil)
    #expect(bench.watch[PlaceZone(home.id)]?.state != nil)
  }

  @Test("requested accuracies apply, and of several the most accurate") func accuracy() throws {
    let home = try Self.place("home", east: 0, radius: 200, seed: 1)
    func wanted(_ interests: [PlaceInterest]) throws -> Double {
      var bench = Bench([home], interests)
      bench.locate(250, at: 0)
      return try #require(bench.look).accuracy.value
    }
    #expect(abs(try wanted([PlaceInterest(.all)]) - 100) < 0.1)
    let some = [PlaceInterest(.all, accuracy: 40), PlaceInterest(.named("home"), accuracy: 20)]
    #expect(try wanted(some) == 20)
  }

  @Test("the longer a board stays the fewer fixes are requested, until it moves")
  func still() throws {
    let home = try Self.place("home", east: 0, seed: 1)
    var bench = Bench([home], [PlaceInterest(.all)])
    var pauses: [Double] = []
    for time in [0.0, 60, 400, 2000, 10_000] {
      bench.locate(0, at: time)
      bench.step(.still(since: .boot(0)), at: time)
      pauses.append(try #require(bench.look).at.seconds - time)
    }
    #expect(pauses == [20, 20, 100, 500, 600])
    bench.step(.presence(.moving(since: .boot(10_010))), at: 10_010)
    #expect(try #require(bench.look).at.seconds == 10_020)
    bench.step(.still(since: .boot(0)), at: 10_011)
    #expect(try #require(bench.look).at.seconds == 10_600)
    bench.step(.still(since: nil), at: 10_012)
    #expect(try #require(bench.look).at.seconds == 10_020)
  }

  @Test("detected rest counts more than rest inferred from locations") func rest() throws {
    let home = try Self.place("home", east: 0, seed: 1)
    var bench = Bench([home], [PlaceInterest(.all)])
    bench.step(.still(since: .boot(0)), at: 0)
    bench.step(.presence(.resting(since: .boot(0))), at: 0)
    bench.locate(0, at: 4000)
    #expect(try #require(bench.look).at.seconds == 5800)
  }

  @Test("a single location decides little if its error is larger than the place")
  func verdict() throws {
    let home = try Self.place("home", east: 0, seed: 1)
    var bench = Bench([home], [])
    bench.locate(0, at: 0)
    func verdict(_ east: Metres, _ accuracy: Metres) -> Containment.Verdict? {
      let location = Location(
        time: UTCInstant(seconds: 1_780_000_000), position: Self.position(east), accuracy: accuracy)
      return bench.watch[PlaceZone(home.id)]?.verdict(of: location)
    }
    #expect(verdict(0, 10) == .inside && verdict(300, 10) == .outside)
    #expect(verdict(60, 10) == .unknown && verdict(300, 300) == .unknown)
    #expect(verdict(1000, 300) == .outside && verdict(Metres(.nan), 10) == nil)
    #expect(
      bench.watch[PlaceZone(home.id, margin: 5)]?.verdict(
        of: Location(time: UTCInstant(seconds: 0), position: Self.centre, accuracy: 5)) == nil)
  }
}
