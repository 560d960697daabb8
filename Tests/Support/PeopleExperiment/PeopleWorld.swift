import Messaging
import Core
import TestSupport

/// Several people with boards, and a broker between them, in virtual time. The same seed always
/// gives the same run.
public final class PeopleWorld {
  /// 2026-05-01, in the morning.
  public static let start = UTCInstant(seconds: 1_777_600_000)

  public let broker: VirtualBroker
  public private(set) var boards: [VirtualBoard] = []
  /// In seconds since the start.
  public private(set) var now = 0.0
  /// The share of steps that end with a power failure.
  public var failures = 0.0
  private var chance: SplitMix

  public init(seed: UInt64 = 1) {
    broker = VirtualBroker(seed: seed)
    chance = SplitMix(seed: seed &* 7919)
  }

  public var date: UTCInstant { Self.start + Seconds(now) }

  /// A point at this distance east of the centre.
  public static func place(_ east: Metres) -> Coordinate { VirtualPath.position(east) }

  /// A new board with an empty disk.
  public func board(
    of person: PersonAddress, at east: Metres = 0, hasBroker: Bool = true
  ) -> VirtualBoard {
    let board = VirtualBoard(of: person, hasBroker ? broker : nil, at: east, from: now)
    boards.append(board)
    return board
  }

  /// Advances the time and runs everything that is due.
  public func pass(_ seconds: Double) {
    let end = now + seconds
    for board in boards { board.pass(to: now) }
    while let due = ([broker.due] + boards.map(\.due)).compactMap({ $0 }).min(), due <= end {
      now = max(now, due)
      for board in boards { board.pass(to: now) }
      for arrival in broker.arrivals(at: now) {
        guard let board = boards.first(where: { $0.link == arrival.link }) else { continue }
        drawFailure(of: board)
        board.takes(arrival)
      }
      for board in boards where (board.due ?? .infinity) <= now {
        drawFailure(of: board)
        board.pass(to: now)
      }
    }
    now = end
    for board in boards { board.pass(to: now) }
  }

  private func drawFailure(of board: VirtualBoard) {
    guard failures > 0, Double.random(in: 0..<1, using: &chance) < failures else { return }
    board.failure = Bool.random(using: &chance) ? .before : .after
  }
}
