import Records
import Core
import Testing

@testable import Places

@Suite struct PlaceStaysTests {
  private static let start = UTCInstant(seconds: 1_777_852_800)

  private static func stays(_ events: (Crossing.Change, Seconds)..., at place: UInt8 = 1)
    -> PlaceStays
  {
    var stays = PlaceStays()
    for (change, time) in events { stays.add(crossing(change, time, place)) }
    return stays
  }

  private static func crossing(
    _ change: Crossing.Change, _ time: Seconds, _ place: UInt8
  ) -> Crossing {
    Crossing(
      id: 1, change, time: start + time, latest: start + time,
      place: (Drawing.id(place).description, "x", 1), position: Drawing.at(0, 0), accuracy: 5,
      distance: -5, probabilityInside: 1)
  }

  private static func sum(_ stays: PlaceStays, until now: Seconds? = nil) -> PlaceStays.Sum {
    stays.sum(of: Drawing.id(1).description, until: now.map { start + $0 })
  }

  @Test("arrivals are counted, and stays of five minutes are visits") func sums() {
    let sum = Self.sum(
      Self.stays((.entered, 0), (.left, 299), (.entered, 1000), (.left, 1300), (.found, 2000)))
    #expect(sum.entries == 3 && sum.visits == 1 && sum.dwell == 599)
    #expect(sum.since == Self.start + 2000)
  }

  @Test("a stay without an observed end counts until now, if now is known") func open() {
    let stays = Self.stays((.entered, 0))
    #expect(Self.sum(stays).visits == 0 && Self.sum(stays).dwell == 0)
    #expect(Self.sum(stays, until: 600).visits == 1 && Self.sum(stays, until: 600).dwell == 600)
    #expect(Self.sum(stays, until: 600).since == Self.start)
    #expect(Self.sum(stays, until: -1).dwell == 0)
  }

  @Test("a missing end is not invented") func gaps() {
    let twice = Self.sum(Self.stays((.entered, 0), (.entered, 5000), (.left, 5400)))
    #expect(twice.entries == 2 && twice.dwell == 400)
    let found = Self.sum(Self.stays((.entered, 0), (.found, 5000), (.left, 5400)))
    #expect(found.entries == 1 && found.dwell == 5400, "it was there all the time")
    #expect(Self.sum(Self.stays((.left, 100))) == Self.sum(PlaceStays()))
  }

  @Test("visits include the types of the place's contents") func sources() throws {
    var stays = PlaceStays()
    for (place, visits) in [(1, 3), (2, 1), (3, 0), (4, 9)] as [(UInt8, Int)] {
      for visit in 0..<visits {
        stays.add(Self.crossing(.entered, Seconds(Double(visit)) * 1000, place))
        stays.add(Self.crossing(.left, Seconds(Double(visit)) * 1000 + 400, place))
      }
    }
    func place(_ number: UInt8, _ types: String...) throws -> Place {
      let contents = types.map { type in
        var content = PlaceContent(mediaType: "text/plain", text: "x")
        content.type = type
        return content
      }
      return try Place(
        id: Drawing.id(number),
        Drawing.details {
          $0.name = "\(number)"
          $0.contents = contents
        })
    }
    let sources = InterestSources(
      stays,
      at: [
        try place(1, "sale", "sale", "talk"), try place(2, "sale", ""), try place(3, "talk"),
        try place(4),
      ], until: nil)
    #expect(sources.visits == ["sale": 4, "talk": 3], "a place counts once for a type")
    #expect(sources.sources(of: "sale").map(\.name) == ["1", "2"])
    #expect(sources.sources(of: "none").isEmpty)
  }
}
