import Core
import Records
import Testing

@testable import Places

/// Places that follow a tracked device at their configured updates (Chughtai 2015, section 4.2.2).
@Suite struct FollowingPlaceTests {
  private static let centre = Drawing.at(52, 5)

  /// A position at this distance east of the board.
  private static func at(_ distance: Metres) -> Coordinate {
    Sphere.destination(from: centre, bearing: 90, distance: distance)
  }

  /// A group of 100 m round a guide, and a board that stands at the centre.
  private struct Bench {
    var watch = PlaceWatch()
    var changes: [PlacePresence.State] = []
    private let group: Place

    init(_ update: FollowedDevice.Update) throws {
      group = try Place(
        id: Drawing.id(1),
        Drawing.details {
          $0.location = .following(FollowedDevice(name: "guide", update: update))
        })
    }

    mutating func step(_ event: PlaceEvent, at seconds: Double) {
      let now = BootInstant.zero + Seconds(seconds)
      var effects = watch.step(event, at: now, date: nil)
      while !effects.isEmpty {
        switch effects.removeFirst() {
        case .find(_, _, let request):
          effects += watch.step(.found([group], request: request, isCut: false), at: now, date: nil)
        case .changed(let change): changes.append(change.change.to)
        case .requestFix: break
        }
      }
    }

    mutating func located(at seconds: Double) {
      let location = Location(
        time: UTCInstant(seconds: 1_780_000_000 + seconds), position: centre, accuracy: 5,
        speed: nil, track: nil, altitude: nil, source: .gnss)
      step(.presence(.located(location)), at: seconds)
    }

    mutating func guide(_ distance: Metres, at seconds: Double) {
      step(.device("guide", at: FollowingPlaceTests.at(distance)), at: seconds)
    }
  }

  @Test("by distance: the place stays until the guide is that far from it") func distance() throws {
    var bench = try Bench(.distance(500))
    bench.located(at: 0)
    bench.guide(0, at: 1)
    bench.located(at: 30)
    #expect(bench.changes == [.inside])
    bench.guide(450, at: 60)
    for count in 0..<5 { bench.located(at: 100 + Double(count) * 30) }
    #expect(bench.changes == [.inside], "it is still where the guide was")
    bench.guide(550, at: 300)
    for count in 0..<5 { bench.located(at: 310 + Double(count) * 30) }
    #expect(bench.changes == [.inside, .outside])
  }

  @Test("by time: the guide's latest position applies when the update is due")
  func interval() throws {
    var bench = try Bench(.interval(600))
    bench.located(at: 0)
    bench.guide(0, at: 1)
    bench.located(at: 30)
    bench.guide(1000, at: 60)
    for count in 0..<5 { bench.located(at: 100 + Double(count) * 30) }
    #expect(bench.changes == [.inside])
    for count in 0..<5 { bench.located(at: 610 + Double(count) * 30) }
    #expect(bench.changes == [.inside, .outside], "the report of 60 s, without another")
  }
}
