import Core
import VirtualDevice

/// What happens to a guarded object: it stays where it is, or is taken away.
public enum GuardScene: String, CaseIterable, Sendable {
  /// A vehicle that stays untouched.
  case parked
  /// A bicycle that is ridden off.
  case ridden
  /// A motorcycle that is pushed away on foot.
  case pushed
  /// A car that is winched onto a lorry, which shakes it for five minutes, and driven away.
  case loaded
  /// A boat that swings round its anchor with the tide and yaws in the wind.
  case anchored
  /// A boat whose anchor does not hold.
  case dragging
  /// A boat whose chain has broken, in wind and stream.
  case adrift

  public var isBoat: Bool { [.anchored, .dragging, .adrift].contains(self) }

  public var isTaken: Bool { self != .parked && self != .anchored }

  /// Radius of the alert's circle: the default of `godwit alerts add`.
  public var radius: Metres { isBoat ? 40 : 50 }

  /// The speed of the removal. A boat whose anchor drags makes 0.2 to 0.7 m/s.
  func speed(_ chance: inout SeededRandom) -> MetresPerSecond {
    switch self {
    case .parked, .anchored: 0
    case .ridden: 15 / 3.6
    case .pushed: 4 / 3.6
    case .loaded: 50 / 3.6
    case .dragging: MetresPerSecond(chance.uniform(in: 0.2...0.7))
    case .adrift: 1.5
    }
  }

  /// From the first shaking until it moves off.
  var loading: Seconds { self == .loaded ? 300 : 0 }
}

/// The track of a guarded object: three legs of ten minutes with half an hour between them, during
/// which a motion sensor proves itself, to its stay; then the stay, and the scene.
public final class GuardTruth: GroundTruth {
  /// Monday 2026-05-04, 08:00.
  public static let beginning = UTCInstant(seconds: 1_777_881_600)
  static let place = Coordinate(latitude: 54.3, longitude: 10.2)
  static let leg: Seconds = 600
  static let halt: Seconds = 1800
  private static let legs = 3.0
  /// When it arrives at its stay.
  static let arrival = leg * legs + halt * (legs - 1)
  /// Chain and hull. The circle is centred on the boat's position when it is armed: the far side of
  /// its swing has to be within.
  static let swing: Metres = 15
  /// From high water to low water.
  private static let halfTide: Seconds = 22_350
  private static let turning: Seconds = 2400
  private static let yaw: Degrees = 25
  private static let yawPeriod: Seconds = 180

  public let start = GuardTruth.beginning
  public let end: UTCInstant? = nil
  public let hasEnded = false
  let scene: GuardScene
  /// When the removal begins; nil: never.
  let takenAt: Seconds?
  private let sky: Reception
  private let speed: MetresPerSecond
  private let bearing: Degrees
  private let phase: Seconds
  private let seed: UInt64

  /// - Parameters:
  ///   - length: the length of the whole; the removal begins between a quarter and three quarters
  /// of it.
  ///   - sky: the reception at the stay and on the way there.
  public init(_ scene: GuardScene, length: Seconds, sky: Reception = .open, seed: UInt64) {
    var chance = SeededRandom(seed: seed, stream: 11)
    self.scene = scene
    self.sky = sky
    self.seed = seed
    takenAt =
      scene.isTaken
      ? Self.arrival + (length - Self.arrival) * chance.uniform(in: 0.25...0.75) : nil
    speed = scene.speed(&chance)
    bearing = Degrees(chance.uniform(in: 0...360))
    phase = Self.halfTide * 2 * chance.uniform()
    self.length = length
  }

  private let length: Seconds

  public func state(at time: UTCInstant) -> TrueState? {
    let now = time - start
    let here = position(at: now)
    let next = position(at: now + 1)
    return TrueState(
      position: here, speed: Sphere.distance(here, next) / 1,
      track: Sphere.bearing(from: here, to: next), reception: sky)
  }

  private func position(at now: Seconds) -> Coordinate {
    let pace: MetresPerSecond = scene.isBoat ? 2 : 8
    guard now >= Self.arrival else {
      return Sphere.destination(
        from: stay(at: Self.arrival), bearing: 180, distance: pace * Self.driving(from: now))
    }
    guard let takenAt, now > takenAt + scene.loading else { return stay(at: now) }
    return Sphere.destination(
      from: stay(at: now), bearing: bearing, distance: speed * (now - takenAt - scene.loading))
  }

  /// How long it still moves before it arrives.
  private static func driving(from now: Seconds) -> Seconds {
    let cycle = leg + halt
    let begun = (now / cycle).rounded(.down)
    let within = min(now - cycle * begun, leg)
    return leg * (legs - begun) - within
  }

  static func isUnderWay(at now: Seconds) -> Bool {
    now < arrival && now.value.truncatingRemainder(dividingBy: (leg + halt).value) < leg.value
  }

  /// Its position as long as it is not being taken away.
  private func stay(at now: Seconds) -> Coordinate {
    guard scene.isBoat else { return Self.place }
    let tide = (now + phase).value.truncatingRemainder(dividingBy: Self.halfTide.value * 2)
    let half = Self.halfTide.value
    let turned = min(tide.truncatingRemainder(dividingBy: half) / Self.turning.value, 1) * 180
    let swung = (tide >= half ? 180 : 0) + turned
    let yawed = Self.yaw.value * Wave.sine(now / Self.yawPeriod)
    return Sphere.destination(
      from: Self.place, bearing: Degrees(swung + yawed), distance: Self.swing)
  }

  public func accessPoint(at time: UTCInstant) -> AccessPoint? { nil }

  public func another() -> any GroundTruth {
    GuardTruth(scene, length: length, sky: sky, seed: seed)
  }

  public func settled(at time: UTCInstant) -> UTCInstant? {
    guard !scene.isBoat, time - start >= Self.arrival else { return nil }
    guard let takenAt else { return time + .days(1) }
    let goes = start + takenAt + scene.loading
    return time < goes ? goes : nil
  }

  /// When its true position is first this far from where it was at an instant; nil: never before
  /// the end.
  func leaves(_ radius: Metres, since now: Seconds) -> Seconds? {
    guard let takenAt else { return nil }
    let centre = position(at: now)
    var moment = takenAt
    while moment < length {
      if Sphere.distance(centre, position(at: moment)) > radius { return moment }
      moment = moment + 1
    }
    return nil
  }
}

/// A wave without the sine, whose last digit differs between processors: Bhaskara's approximation.
enum Wave {
  /// - Parameter turns: 1 is a full turn.
  static func sine(_ turns: Double) -> Double {
    let turn = turns - turns.rounded(.down)
    let half = turn < 0.5 ? turn * 2 : (turn - 0.5) * 2
    let bow = 16 * half * (1 - half) / (5 - 4 * half * (1 - half))
    return turn < 0.5 ? bow : -bow
  }
}
