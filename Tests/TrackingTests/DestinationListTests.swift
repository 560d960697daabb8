import Core
import Records
import Testing

@testable import Tracking

@Suite struct DestinationListTests {
  static func visit(_ id: Int64, _ east: Double, hours: Double = 1) -> Visit {
    Visit(
      id: id, arrival: TimeEstimate(exactly: GroundTruth.time(Double(id) * 100_000)),
      departure: TimeEstimate(exactly: GroundTruth.time(Double(id) * 100_000 + hours * 3600)),
      position: GroundTruth.position(east, 0), accuracy: 5, confidence: 0.9, locations: 100)
  }

  @Test("visits within reach of each other are one destination")
  func visitsWithinReachAreOneDestination() {
    var book = DestinationList()
    let first = book.add(Self.visit(1, 0))
    let second = book.add(Self.visit(2, 60, hours: 2))
    #expect(first.id == second.id)
    #expect(second.visits == 2)
    #expect(second.totalDwell == .hours(3))
    #expect(Sphere.distance(second.position, GroundTruth.position(30, 0)) < 0.1)
    #expect((second.radius - 30).magnitude < 1)
    let other = book.add(Self.visit(3, 400))
    #expect(other.id != first.id)
    #expect(book.destinations.count == 2)
  }

  @Test("a visit belongs to the nearest destination, whose label stays")
  func theNearestOneWinsAndItsLabelStays() {
    var home = Destination(
      id: 7, position: GroundTruth.position(0, 0), radius: 10, visits: 3, totalDwell: 10_000)
    home.label = "home"
    let shop = Destination(
      id: 9, position: GroundTruth.position(150, 0), radius: 10, visits: 1, totalDwell: 600)
    var book = DestinationList([home, shop])
    let again = book.add(Self.visit(1, 60))
    #expect(again.id == 7)
    #expect(again.label == "home")
    #expect(book.add(Self.visit(2, 5000)).id == 10)
  }

  @Test("a visit that is not located well belongs to the known place nearby, and is located by it")
  func vagueVisit() {
    let home = Destination(
      id: 7, position: GroundTruth.position(0, 0), radius: 10, visits: 3, totalDwell: 10_000)
    var list = DestinationList([home])
    var vague = Self.visit(1, 200)
    vague.accuracy = 150
    #expect(list.add(vague).id == 7)
    let placed = list.placed(vague)
    #expect(placed.destination == 7)
    #expect(Sphere.distance(placed.position, home.position) < 20)
    #expect(placed.accuracy < 60)
    let pooled = list.destinations[0]
    #expect(Sphere.distance(pooled.position, home.position) < 1, "it adds next to nothing")
    #expect(list.add(Self.visit(2, 200)).id != 7, "another place, when it is located well")
  }

  @Test("a visit is not located by itself") func notByItself() {
    var list = DestinationList()
    let visit = Self.visit(1, 0)
    _ = list.add(visit)
    #expect(list.placed(visit).position == visit.position)
    #expect(list.placed(visit).destination == 1)
  }

  @Test("the present visit counts from its beginning, for as long as it was observed")
  func anOpenVisitCounts() {
    var book = DestinationList()
    var visit = Self.visit(1, 0)
    visit.departure = nil
    #expect(book.add(visit).visits == 1)
    #expect(book.destinations.map(\.totalDwell) == [0])
    visit.lastSeen = visit.arrival.estimate + 1800
    #expect(book.add(visit).totalDwell == 1800)
    #expect(book.add(Self.visit(1, 0, hours: 3)).totalDwell == .hours(3))
    #expect(book.destinations.count == 1 && book.destinations[0].visits == 1)
  }

  @Test("a withdrawn visit is removed from its destination's figures")
  func withdrawn() {
    var book = DestinationList()
    let home = book.add(Self.visit(1, 0))
    _ = book.add(Self.visit(2, 60))
    #expect(book.withdraw(1) == nil, "another one was added since")
    #expect(book.withdraw(2) == .restored(home))
    #expect(book.withdraw(2) == nil)
    let shop = book.add(Self.visit(3, 5000))
    #expect(book.withdraw(3) == .removed(id: shop.id))
    #expect(book.destinations == [home])
    #expect(book.add(Self.visit(4, 9000)).id > shop.id, "an id is not given twice")
  }

  @Test("for any changes of visits, the stored destinations count the stored visits")
  func countsMatch() {
    var dice = Dice(seed: 5)
    var book = DestinationList()
    var stored: [Int64: Destination] = [:]
    var visits: [Int64: Int64] = [:]
    func take(_ withdrawal: DestinationList.Withdrawal) {
      switch withdrawal {
      case .restored(let destination): stored[destination.id] = destination
      case .removed(let id): stored[id] = nil
      }
    }
    func add(_ id: Int64, _ east: Double) {
      let destination = book.add(Self.visit(id, east)) { take($0) }
      stored[destination.id] = destination
      visits[id] = destination.id
    }
    for id in 1...400 as ClosedRange<Int64> {
      var east = Double(Int(dice.uniform * 8)) * 180
      for _ in 0..<Int(dice.uniform * 4) + 1 {
        add(id, east)
        east += dice.normal * 60
      }
      guard dice.uniform < 0.3, let withdrawal = book.withdraw(id) else { continue }
      take(withdrawal)
      visits[id] = nil
      // The previous visit turns out to continue.
      if visits[id - 1] != nil, dice.uniform < 0.5 { add(id - 1, east) }
    }
    #expect(Set(book.destinations) == Set(stored.values))
    for destination in stored.values {
      #expect(destination.visits == visits.values.count { $0 == destination.id })
    }
  }

  @Test("a visit that continues is counted once") func aVisitThatGoesOnIsCountedOnce() {
    var book = DestinationList()
    _ = book.add(Self.visit(1, 0))
    _ = book.add(Self.visit(2, 50, hours: 1))
    let longer = book.add(Self.visit(2, 50, hours: 4))
    #expect(longer.visits == 2)
    #expect(longer.totalDwell == .hours(5))
    let new = book.add(Self.visit(3, 900, hours: 1))
    #expect(book.add(Self.visit(3, 905, hours: 2)).id == new.id)
    #expect(book.destinations.count == 2)
  }

  @Test("a visit that continues after a restart is counted once")
  func counted() {
    for east in [50.0, 700] {
      var book = DestinationList()
      _ = book.add(Self.visit(1, 0))
      let first = book.add(Self.visit(2, east))
      var next = DestinationList(book.destinations)
      next = DestinationList.fields.restored(DestinationList.fields.snapshot(of: book), onto: next)!
      let longer = next.add(Self.visit(2, east, hours: 4))
      #expect(longer.id == first.id && longer.visits == first.visits)
      #expect(longer.totalDwell == first.totalDwell + .hours(3))
      #expect(next.destinations.count == book.destinations.count)
    }
  }

  @Test(
    "damaged parts of the last visit are dropped",
    arguments: [
      "null", #"{"latest":7}"#, #"{"latest":{"visit":1}}"#,
      #"{"latest":{"visit":1,"destination":99}}"#,
      #"""
      {"latest":{"visit":1,"destination":1,"before":{"id":2,"latitude":1,"longitude":1,
      "radius_m":1,"visits":1,"dwell_s":1}}}
      """#,
    ])
  func damage(text: String) throws {
    var book = DestinationList([
      Destination(
        id: 1, position: GroundTruth.position(0, 0), radius: 10, visits: 3, totalDwell: 100)
    ])
    let snapshot = try JSONValue(parsing: text)
    book = DestinationList.fields.restored(snapshot, onto: book) ?? book
    #expect(book.add(Self.visit(1, 0)).visits == 4)
    #expect(book.destinations.count == 1)
  }
}
