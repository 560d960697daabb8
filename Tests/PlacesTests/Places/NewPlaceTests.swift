import Core
import Records
import Testing

@testable import Places

/// A place created while the board is moving.
@Suite struct NewPlaceTests {
  private static let centre = Drawing.at(52, 5)

  /// A position at this distance south of the place.
  private static func at(_ distance: Metres) -> Coordinate {
    Sphere.destination(from: centre, bearing: 180, distance: distance)
  }

  /// A store that the watch queries.
  private struct Bench {
    var places: [Place] = []
    private var watch = PlaceWatch()
    private(set) var crossings: [PlaceChange] = []

    mutating func make(_ number: UInt8, _ at: Coordinate, at second: Int) throws {
      let details = Drawing.details { $0.location = .fixed(at) }
      places.append(try Place(id: Drawing.id(number), details))
      step(.edited, at: second)
    }

    mutating func walk(to position: Coordinate, at second: Int) {
      let location = Location(
        time: UTCInstant(seconds: 1_780_000_000), position: position, accuracy: 5, speed: 4,
        track: nil, altitude: nil, source: .gnss)
      step(.presence(.located(location)), at: second)
    }

    private mutating func step(_ event: PlaceEvent, at second: Int) {
      let now = BootInstant.zero + Seconds(Double(second))
      var effects = watch.step(event, at: now, date: nil)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .changed(let change): if change.isCrossing { crossings.append(change) }
        case .requestFix: break
        case .find(_, _, let request):
          effects += watch.step(
            .found(places, request: request, isCut: false), at: now, date: nil)
        }
      }
    }
  }

  @Test(
    "walking to a newly created place is an arrival, not a first location inside",
    arguments: [1, 2, 6, 12, 24])
  func made(before: Int) throws {
    var bench = Bench()
    // At the edge of 100 m after 50 s.
    for second in 0...70 {
      bench.walk(to: Self.at(Metres(300 - 4 * Double(second))), at: second)
      if second == 48 - before { try bench.make(1, Self.centre, at: second) }
    }
    #expect(bench.crossings.map(\.change.from) == [.outside])
    #expect(bench.crossings.map(\.change.to) == [.inside])
  }

  @Test("a board at a new place, or just leaving it, is reported neither as coming nor as going")
  func there() throws {
    var bench = Bench()
    for second in 0...70 { bench.walk(to: Self.at(Metres(4 * Double(second))), at: second) }
    try bench.make(1, Self.at(280), at: 71)
    #expect(bench.crossings.map(\.change.from) == [.unknown])
    try bench.make(2, Self.at(140), at: 72)
    for second in 73...140 { bench.walk(to: Self.at(280), at: second) }
    #expect(bench.crossings.count == 1)
  }
}
