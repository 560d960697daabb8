import RadioSignals
import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Places with received beacons, in addition to locations.
@Suite struct BeaconReceptionTests {
  private static let centre = Coordinate(latitude: 52, longitude: 5)
  private static let start = UTCInstant(seconds: 1_780_000_000)

  private static func shop(_ at: Coordinate = centre) throws -> Place {
    var chance = SplitMix(seed: 7)
    var details = PlaceDetails(
      name: "shop", location: .fixed(at), perimeter: .circle(radius: 30), owner: "ada")
    details.beacons = [try BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/1")]
    return try Place(id: PlaceID.made(using: &chance), details)
  }

  /// A watch and a store with one place.
  private struct Bench {
    let place: Place
    var watch = PlaceWatch()
    var changes: [PlaceChange] = []
    /// Nil: the date is unknown.
    var date: (Double) -> UTCInstant? = { BeaconReceptionTests.start + Seconds($0) }

    init(_ place: Place) { self.place = place }

    mutating func step(_ event: PlaceEvent, at seconds: Double) {
      let now = BootInstant.boot(seconds)
      var effects = watch.step(event, at: now, date: date(seconds))
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .changed(let change): changes.append(change)
        case .requestFix: break
        case .find(let box, _, let request):
          guard case .fixed(let at) = place.location else { break }
          let found = box.contains(at) ? [place] : []
          effects += watch.step(
            .found(found, request: request, isCut: false), at: now, date: date(seconds))
        }
      }
    }

    mutating func hears(
      _ isReceived: Bool, last: Double, at seconds: Double, isOnTheWay: Bool = false
    ) {
      let hearing = BeaconReception(
        isReceived: isReceived, lastReception: .boot(last), isOnTheWay: isOnTheWay)
      step(.beacon(place, hearing), at: seconds)
    }

    mutating func located(_ distance: Metres, accuracy: Metres = 5, at seconds: Double) {
      let at = Sphere.destination(
        from: BeaconReceptionTests.centre, bearing: 90, distance: distance)
      step(
        .presence(
          .located(
            Location(
              time: BeaconReceptionTests.start + Seconds(seconds), position: at,
              accuracy: accuracy))),
        at: seconds)
    }

    var state: PlacePresence.State? { watch[PlaceZone(place.id)]?.state }
  }

  @Test("a received beacon means presence at once, even if the board was never located")
  func first() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 10, at: 10)
    #expect(bench.state == .inside)
    let change = try #require(bench.changes.first)
    #expect(change.change.isByBeacon && change.change.to == .inside && change.isCrossing)
    #expect(change.change.evidenceInWords == "its beacon is received")
    #expect(change.change.location.time == Self.start + 10)
  }

  @Test("after silence the departure dates from the last reception") func left() throws {
    var bench = Bench(try Self.shop())
    bench.located(200, at: 0)
    bench.located(200, at: 30)
    bench.hears(true, last: 60, at: 60)
    bench.hears(false, last: 100, at: 131)
    #expect(bench.changes.map(\.change.to) == [.outside, .inside, .outside])
    let left = try #require(bench.changes.last?.change)
    #expect(left.location.time == Self.start + 100)
    #expect(left.earliest == .boot(100) && left.latest == .boot(131))
  }

  @Test("no location makes a board leave a place whose beacon it receives") func errors() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 0, at: 0)
    for minute in 1...10 { bench.located(900, at: Double(minute) * 60) }
    #expect(bench.state == .inside && bench.changes.count == 1)
  }

  @Test("a board located inside at departure has left half a minute later without reception")
  func lookAtTheStart() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 0, at: 0)
    bench.step(.presence(.resting(since: .boot(0))), at: 60)
    bench.step(.presence(.moving(since: .boot(95))), at: 105)
    bench.located(3, at: 110)
    bench.hears(false, last: 104, at: 134, isOnTheWay: true)
    #expect(bench.state == .inside)
    #expect(bench.watch.due(at: .boot(134), date: Self.start + 134) == Self.start + 140)
    bench.step(.timePassed, at: 139)
    #expect(bench.state == .inside)
    bench.step(.timePassed, at: 140)
    #expect(bench.state == .outside)
    let left = try #require(bench.changes.last?.change)
    #expect(left.isByBeacon && left.earliest == .boot(110) && left.latest == .boot(140))
    #expect(bench.watch.due(at: .boot(140), date: Self.start + 140) == nil)
  }

  @Test("a new location inside restarts the half minute")
  func seenOnceMore() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 0, at: 0)
    bench.located(3, at: 110)
    bench.hears(false, last: 100, at: 130)
    bench.located(3, at: 135)
    bench.step(.timePassed, at: 150)
    #expect(bench.state == .inside)
    bench.hears(true, last: 160, at: 160)
    bench.step(.timePassed, at: 170)
    #expect(bench.state == .inside)
    bench.hears(false, last: 180, at: 210)
    #expect(bench.state == .outside && bench.changes.count == 2)
  }

  @Test("a location inside since the silence began keeps the board there, and decides")
  func handedOver() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 0, at: 0)
    bench.located(3, at: 110)
    bench.hears(false, last: 100, at: 131)
    #expect(bench.state == .inside)
    for minute in 3...8 { bench.located(900, at: Double(minute) * 60) }
    #expect(bench.state == .outside)
    #expect(bench.changes.last?.change.isByBeacon == false)
  }

  @Test("at rest an empty beacon battery is not a departure, and in motion it is")
  func resting() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 0, at: 0)
    bench.step(.presence(.resting(since: .boot(60))), at: 120)
    bench.hears(false, last: 600, at: 631)
    #expect(bench.state == .inside)
    bench.step(.presence(.moving(since: .boot(9000))), at: 9000)
    #expect(bench.state == .outside)
  }

  @Test("silence on a trip too short to be movement is a departure at once")
  func shortWay() throws {
    var bench = Bench(try Self.shop())
    bench.hears(true, last: 0, at: 0)
    bench.step(.presence(.resting(since: .boot(60))), at: 120)
    bench.hears(false, last: 600, at: 631, isOnTheWay: true)
    #expect(bench.state == .outside)
    let left = try #require(bench.changes.last?.change)
    #expect(left.earliest == .boot(600) && left.latest == .boot(600))
  }

  @Test("without a date received beacons wait for one") func undated() throws {
    var bench = Bench(try Self.shop())
    bench.date = { $0 < 100 ? nil : BeaconReceptionTests.start + Seconds($0) }
    bench.hears(true, last: 10, at: 10)
    #expect(bench.changes.isEmpty)
    bench.step(.timePassed, at: 100)
    #expect(bench.state == .inside && bench.changes.count == 1)
  }

  @Test("a wider zone around the place is entered with it") func margin() throws {
    var bench = Bench(try Self.shop())
    bench.step(.wanted([PlaceInterest(.all, margin: 500)]), at: 0)
    bench.hears(true, last: 10, at: 10)
    #expect(bench.changes.map(\.margin).sorted() == [0, 500])
  }
}
