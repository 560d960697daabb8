import Core
import Records
import TestSupport
import Testing

@testable import Messaging

@Suite struct GroupPublicationTests {
  private typealias Bench = GroupBench

  @Test("an open group can be found wherever its guide goes, and only there") func moving() throws {
    var publication = GroupPublication()
    var retained: Set<String> = []
    var messages = 0
    let group = Bench.group(range: 500)
    let own = "godwit-groups/guide/guide/\(group.id)"
    for kilometre in 0..<150 {
      let guide = Bench.place(Metres(Double(kilometre) * 1000))
      if let order = publication.update(group, at: guide) {
        #expect(retained.isSuperset(of: order.without))
        #expect(order.group.foundAt.map { Sphere.distance($0, guide) < 1 } == true)
        retained.formUnion(order.under)
        retained.subtract(order.without)
        messages += order.under.count + order.without.count
      }
      publication = try GroupPublication(publication.bytes)
      let person = Sphere.destination(from: guide, bearing: 200, distance: 500)
      #expect(retained.contains("godwit-area-groups/\(TopicArea(of: person))/guide/\(group.id)"))
      #expect(retained.contains(own) && retained.count <= 5)
    }
    #expect(messages < 150 * 4)
    let last = publication.update(group, guide: nil, isOver: true)
    #expect(last.map { Set($0.without) } == retained && last?.under == [])
    #expect(publication.update(group, guide: nil, isOver: true) == nil)
  }

  @Test("an open group is found within its range, and not far beyond it")
  func found() throws {
    var publication = GroupPublication()
    let guide = Bench.place(0)
    let order = publication.update(Bench.group(range: 500), at: guide)
    let group = try #require(order).group
    #expect(order?.place?.position == group.foundAt && order?.place?.time == Bench.date)
    #expect(order?.place?.accuracy == 5)
    let stored = try GroupPublication(publication.bytes)
    #expect(stored == publication)
    func way(_ metres: Metres) -> Metres? {
      let place = Sphere.destination(from: guide, bearing: 77, distance: metres)
      return group.distanceToFind(
        from: Location(time: UTCInstant(seconds: 1_780_000_000), position: place, accuracy: 5))
    }
    #expect(way(500) == nil && way(990) == nil)
    #expect((try #require(way(18_000)) - 16_995).magnitude < 50)
    #expect(group.distanceToFind(from: nil) == Metres(.infinity), "nobody knows where it is")
    let closed = Bench.group(allowed: .people([Bench.mia]))
    var own = GroupPublication()
    let ownOrder = own.update(closed, at: guide)
    #expect(ownOrder?.group.distanceToFind(from: nil) == nil && ownOrder?.place == nil)
  }

  @Test("a guide who moves along an area's edge does not publish each time") func edge() {
    var publication = GroupPublication()
    var orders = 0
    // The area begins a hundred metres to the north.
    let south = Coordinate(latitude: 48.2491, longitude: 16.37)
    for step in 0..<100 {
      let guide = Sphere.destination(
        from: south, bearing: 0, distance: step % 2 == 0 ? 0 : 450)
      if publication.update(Bench.group(), at: guide) != nil { orders += 1 }
    }
    #expect(orders <= 2)
  }

  @Test(
    "a new revision is published where the group can be found, and removed for excluded people")
  func revision() {
    var publication = GroupPublication()
    let first = Bench.group(allowed: .people([Bench.mia, Bench.tom]))
    #expect(publication.update(first, at: nil)?.under.count == 3)
    #expect(publication.update(first, at: Bench.start) == nil)
    let second = Bench.group(revision: 2, allowed: .people([Bench.mia]))
    let order = publication.update(second, at: nil)
    #expect(order?.under.contains("godwit-groups/mia/guide/\(first.id)") == true)
    #expect(order?.without == ["godwit-groups/tom/guide/\(first.id)"])
    #expect(order?.group == second)
  }

  @Test("an open group stays in place while its guide's position is unknown")
  func unknown() {
    var publication = GroupPublication()
    let own = "godwit-groups/guide/guide/\(Bench.group().id)"
    #expect(publication.update(Bench.group(), at: nil)?.under == [own])
    let order = publication.update(Bench.group(), at: Bench.start)
    #expect(order?.under.isEmpty == false)
    #expect(publication.update(Bench.group(), at: nil) == nil)
    let changed = publication.update(Bench.group(revision: 2), at: nil)
    #expect(changed?.under == [own] + (order?.under ?? []) && changed?.without == [])
  }

  @Test("a guide's next board removes an open group from where the lost board published it")
  func adopted() throws {
    var lost = GroupPublication()
    let left = lost.update(Bench.group(), at: Bench.start)
    let before = try #require(left)
    var publication = GroupPublication()
    for topic in before.under {
      let isNew = publication.adopt(topic, revision: 1, foundAt: before.group.foundAt)
      #expect(isNew)
      let isNewAgain = publication.adopt(topic, revision: 1)
      #expect(!isNewAgain)
    }
    #expect(publication.update(Bench.group(), at: Bench.start) == nil, "all is there")
    let far = publication.update(Bench.group(), at: Bench.place(200_000))
    #expect(far.map { Set($0.without) } == Set(before.under.dropFirst()))
    var stale = GroupPublication()
    let isNew = stale.adopt(before.under[1], revision: 1)
    #expect(isNew)
    let order = stale.update(Bench.group(revision: 2), at: Bench.start)
    #expect(order.map { Set($0.under) } == Set(before.under), "it has an old revision there")
  }
}

extension GroupPublication {
  fileprivate mutating func update(_ group: Group, at guide: Coordinate?) -> Order? {
    update(
      group,
      guide: guide.map {
        try! GroupPosition($0, accuracy: 5, at: GroupBench.date, of: group.guide, in: group.id)
      })
  }
}
