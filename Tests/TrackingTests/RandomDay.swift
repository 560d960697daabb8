import Core
import Records
import TestSupport
import Tracking

/// Seeded random numbers for the tests.
struct Dice {
  private var source: SplitMix

  init(seed: UInt64) { source = SplitMix(seed: seed) }

  /// 0..<1
  var uniform: Double {
    mutating get { Double(source.next() >> 11) / 9_007_199_254_740_992 }
  }

  /// Mean 0, standard deviation 1 (the sum of twelve uniform numbers).
  var normal: Double {
    mutating get { (0..<12).reduce(-6) { sum, _ in sum + uniform } }
  }
}

/// A day of stays and walks or drives between them, known to the second.
struct RandomDay {
  struct Leg {
    var start: Double
    var end: Double
    var from: (x: Double, y: Double)
    var to: (x: Double, y: Double)
  }

  private(set) var legs: [Leg] = []
  private let noise: UInt64

  var stays: [Leg] { legs.filter { $0.from == $0.to } }

  init(seed: UInt64) {
    var dice = Dice(seed: seed)
    noise = seed &+ 1000
    var position = (x: 0.0, y: 0.0)
    var time = 0.0
    for _ in 0..<6 {
      let dwell = 900 + dice.uniform * 12_000
      legs.append(Leg(start: time, end: time + dwell, from: position, to: position))
      time += dwell
      let speed = dice.uniform < 0.5 ? 1.4 : 12
      let far = speed * (600 + dice.uniform * 1200)
      let next =
        dice.uniform < 0.5
        ? (x: position.x + far, y: position.y) : (x: position.x, y: position.y - far)
      legs.append(Leg(start: time, end: time + far / speed, from: position, to: next))
      time += far / speed
      position = next
    }
    legs.append(Leg(start: time, end: time + 7200, from: position, to: position))
  }

  func locations(every interval: Double) -> [Location] {
    var dice = Dice(seed: noise)
    var locations: [Location] = []
    var time = 0.0
    for leg in legs {
      while time < leg.end {
        let share = (time - leg.start) / (leg.end - leg.start)
        let x = leg.from.x + (leg.to.x - leg.from.x) * share
        let y = leg.from.y + (leg.to.y - leg.from.y) * share
        locations.append(
          GroundTruth.location(time, x + dice.normal * 4, y + dice.normal * 4, accuracy: 6))
        time += interval
      }
    }
    return locations
  }
}

/// Applies the detector's changes and keeps the resulting visits.
struct VisitLog {
  private var found: [Int64: Visit] = [:]

  var visits: [Visit] { found.values.sorted { $0.id < $1.id } }

  mutating func take(_ changes: [VisitChange]) {
    for change in changes {
      switch change {
      case .began(let visit), .updated(let visit), .ended(let visit): found[visit.id] = visit
      case .withdrawn(let id): found[id] = nil
      }
    }
  }
}
