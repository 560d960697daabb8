import Ports
import Core
import Records
import VirtualDevice

/// An accelerometer's interrupt line on a guarded object: it reports every movement within seconds,
/// and many that are none.
///
/// The rates are assumptions: a bump by a passer-by once a day; lorries that pass close by four
/// times an hour by day and once by night, half of them felt; on three nights of ten gusts, twenty
/// in an hour from ten to six. Afloat it is triggered twenty times an hour at all times.
final class ShakeSensor: EvidencePort {
  /// The name by which the tracker knows it.
  let name = "motion"
  let interest: Interest? = nil
  /// The line is masked for so long after an edge.
  private static let mask: Seconds = 10
  private static let passersBy = 1.0 / 24
  private static let lorries = (day: 4.0, night: 1.0)
  private static let feltLorries = 0.5
  private static let gusts = 20.0
  private static let gustyNights = 0.3
  private static let waves = 20.0

  private let clock: VirtualClock
  /// In order of time.
  private var edges: ArraySlice<BootInstant>

  init(on truth: GuardTruth, length: Seconds, clock: VirtualClock, seed: UInt64) {
    self.clock = clock
    var chance = SeededRandom(seed: seed, stream: 12)
    var told: [Seconds] = []
    var now: Seconds = 2
    while now < length {
      if Self.isMoving(truth, at: now) {
        told.append(now + Seconds(chance.uniform(in: 0...3)))
        now = now + Self.mask + Seconds(chance.uniform(in: 0...2))
      } else {
        let perHour = Self.rate(truth, at: now, seed: seed)
        if chance.chance(perHour * (Self.mask / .hours(1))) { told.append(now) }
        now = now + Self.mask
      }
    }
    edges = told.map { .zero + $0 }[...]
  }

  private static func isMoving(_ truth: GuardTruth, at now: Seconds) -> Bool {
    GuardTruth.isUnderWay(at: now) || truth.takenAt.map { now >= $0 } ?? false
  }

  /// Events per hour.
  private static func rate(_ truth: GuardTruth, at now: Seconds, seed: UInt64) -> Double {
    guard !truth.scene.isBoat else { return waves }
    let hours = (GuardTruth.beginning.seconds + now.value) / 3600
    let hour = hours.truncatingRemainder(dividingBy: 24)
    let isNight = hour >= 22 || hour < 6
    var night = SeededRandom(seed: seed ^ UInt64((hours / 24 + 0.25).rounded()), stream: 13)
    let isGusty = isNight && night.chance(gustyNights)
    return passersBy + (isNight ? lorries.night : lorries.day) * feltLorries
      + (isGusty ? gusts : 0)
  }

  var due: BootInstant? { edges.first }

  func poll() throws(PortError) -> Evidence? {
    guard let edge = edges.first, edge <= clock.now else { return nil }
    edges.removeFirst()
    return .motion
  }
}
