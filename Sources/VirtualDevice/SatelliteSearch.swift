import Core

/// A search for satellites, whose duration depends on the actual reception.
struct SatelliteSearch {
  let start: StartKind
  /// The duration of the search under open sky.
  let needed: Seconds
  /// Its progress so far, in seconds under open sky.
  private(set) var progress: Seconds = 0
  /// The speed between buildings, relative to open sky.
  static let streetPace = 0.6
  static let luck = 0.4...1.6
  /// Searches indoors vary: people and doors move.
  private let luck: Double

  init(start: StartKind, needed: Seconds, random: inout SeededRandom) {
    self.start = start
    self.needed = needed
    luck = random.uniform(in: Self.luck)
  }

  /// - Parameter penetration: the speed of a search indoors here, see `Penetration`.
  mutating func search(for time: Seconds, under reception: Reception, penetration: Double) {
    switch reception {
    case .open: progress += time
    case .street: progress += time * Self.streetPace
    case .indoors: progress += time * (penetration * luck)
    case .none: break
    }
  }

  var isDone: Bool { progress >= needed }
  /// One satellite is enough for the time of day; its week number is received within half of the
  /// search.
  var hasTime: Bool { progress >= needed * 0.5 }
  /// The minimum number of satellites for the progress so far: time takes one, and the orbits of
  /// four are received for a large part of the search.
  func satellitesFound(through path: SignalPath) -> Int {
    guard !path.isDead else { return 0 }
    return progress >= needed * 0.6 ? 4 : progress >= needed * 0.4 ? 1 : 0
  }
}

/// The share of satellite signals that enters buildings. Every block has its own walls and windows:
/// in half of them no satellite is ever acquired, in the others slowly.
struct Penetration {
  let seed: UInt64

  /// 0...1, the same at every visit. A block is about 50 m across.
  func share(at position: Coordinate) -> Double {
    let row = Int64((position.latitude.value * 2000).rounded(.down))
    let column = Int64((position.longitude.value * 2000).rounded(.down))
    var block = SeededRandom(
      seed: seed ^ UInt64(bitPattern: row), stream: UInt64(bitPattern: column))
    return block.chance(0.5) ? 0 : block.uniform(in: 0.03...0.15)
  }
}
