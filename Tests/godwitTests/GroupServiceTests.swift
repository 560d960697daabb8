import CarriedBoards
import Messaging
import Core
import PeopleExperiment
import Runtime
import Store
import Testing
import TestSupport
import Tracking

/// A group of three boards, each with its receiver, its daemon and its store, around one broker
/// (Chughtai 2015, 4.3.2). The daemons are killed now and then.
@Suite struct GroupServiceTests {
  private static let start = UTCInstant(seconds: 1_780_300_800)  // Monday 2026-06-01, 08:00
  private static let square = Coordinate(latitude: 52.0907, longitude: 5.1214)

  private static func at(_ distance: Metres) -> Coordinate {
    Sphere.destination(from: square, bearing: 90, distance: distance)
  }

  private struct Member {
    let person: PersonAddress
    let board: CarriedBoard
    let path: String

    var messaging: MessagingState {
      get throws {
        MessagingState(
          of: person, hasBroker: true, restoring: try StoreReader(path: path).messages())
      }
    }
  }

  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// - Parameter points: the member's track, which begins after five minutes at the first point.
  private func member(_ name: String, _ points: [Metres], seed: UInt64) throws -> Member {
    let person = try PersonAddress(name)
    let path = folder.file("\(name).gpkg")
    let board = try CarriedBoard(
      Stroll(from: Self.start, points.map { Self.at($0) }, pause: 300), path: path, seed: seed
    ) { devices, tracker in
      devices.people = PeopleSettings(address: person)
      devices.hasBroker = true
      // Only the group causes frequent fixes.
      tracker.policy = .periodic(PeriodicSettings(interval: .hours(6)))
    }
    return Member(person: person, board: board, path: path)
  }

  private func visit(_ one: Member, _ post: inout BrokerPost) throws {
    #expect(post.visit(one.board, try one.messaging, around: Self.square) == nil)
  }

  @Test(
    "a member behind is reported once on each board, whichever daemon is killed in between",
    arguments: [4, 11] as [UInt64])
  func stayingBehind(seed: UInt64) throws {
    let guide = try member("gil", [0, 1500], seed: seed)
    let others = [
      try member("mia", [10, 1510], seed: seed + 100),
      try member("tom", [20, 200], seed: seed + 200),
    ]
    let all = [guide] + others
    var post = BrokerPost()
    var chance = SplitMix(seed: seed)
    for one in all { one.board.run(for: 60) }
    let id = UniqueID.made(using: &chance)
    let group = try Group(id: id, name: "Hike", guide: guide.person, range: 300, pause: 60)
    #expect(try guide.board.does(.guided(group), as: guide.person).isEmpty)
    guide.board.run(for: 60)
    for one in all { try visit(one, &post) }
    for one in others { #expect(try one.board.does(.joined(id), as: one.person).isEmpty) }
    for _ in 0..<50 {
      for one in all {
        one.board.run(for: 30)
        try visit(one, &post)
        if Int.random(in: 0..<6, using: &chance) == 0 { try one.board.restart() }
      }
    }
    for one in all {
      let alerts = one.board.told().filter { $0.contains("out of range") }
      #expect(alerts.count == 1, "\(one.person): \(one.board.told())")
      let who = "\(one.person)" == "tom" ? "you are" : "tom is"
      #expect(alerts.first?.hasPrefix("Hike: \(who) out of range") == true, "\(alerts)")
      #expect(!one.board.told().contains { $0.contains("mia") })
      #expect(one.board.fixes > 15, "the group has it located")
    }
  }
}
