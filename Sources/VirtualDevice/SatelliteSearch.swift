import Quantities

/// A search for satellites: how long it takes under the sky that the carrier really has.
struct SatelliteSearch {
  let start: StartKind
  /// What the search takes under open sky.
  let needed: Seconds
  /// Seconds of open sky that it has had so far.
  private(set) var progress: Seconds = 0
  /// How fast it goes on indoors. Mostly not at all; near a window slowly.
  let speedIndoors: Double

  init(start: StartKind, needed: Seconds, random: inout SeededRandom) {
    self.start = start
    self.needed = needed
    speedIndoors = random.chance(0.35) ? random.uniform(in: 0.03...0.15) : 0
  }

  mutating func search(for time: Seconds, under sky: Sky) {
    switch sky {
    case .open: progress += time
    case .street: progress += time * 0.6
    case .indoors: progress += time * speedIndoors
    case .none: break
    }
  }

  var isDone: Bool { progress >= needed }
  /// One satellite is enough for the time of day; its week number comes within half of the search.
  var hasTime: Bool { progress >= needed * 0.5 }
  /// 0...1: how many of the satellites that will be used are already seen.
  var share: Double { min(1, progress / needed) }
}
