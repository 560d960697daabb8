import RadioSignals
import Core

#if canImport(Glibc)
  import Glibc
#endif

/// The positions of beacons, and their reception by a board nearby: random, but reproducible for
/// the same seed, beacon and second.
///
/// The mean signal strength falls with the distance as in ITU-R P.1238 for offices (22 dB from 1 m
/// to 10 m), by 1.2 dB more for each metre indoors, for walls and furniture, and by 8 dB between
/// indoors and outdoors. It fluctuates by 4 dB within some ten seconds, as people pass and bodies
/// turn, and by 3 dB from one advertisement to the next; one in ten is 15 dB weaker by reflections.
/// One in seven is lost whatever its strength.
public struct BeaconWorld: Sendable {
  public struct PlacedBeacon: Hashable, Sendable {
    var name: String
    public var frame: BeaconFrame
    var position: Coordinate
    /// Nil: unknown; then the 8 dB do not apply.
    var isIndoors: Bool?

    public init(_ name: String, _ frame: BeaconFrame, at position: Coordinate, isIndoors: Bool?) {
      self.name = name
      self.frame = frame
      self.position = position
      self.isIndoors = isIndoors
    }
  }

  /// The sensitivity of such a radio.
  public static let sensitivity: DecibelMilliwatts = -95
  private static let slope = 22.0
  private static let perMetreIndoors = 1.2
  private static let mostIndoors = 30.0
  private static let front = 8.0
  private static let wander = 4.0
  private static let jump = 3.0
  private static let reflection = (chance: 0.1, loss: 15.0)
  private static let loss = 0.15
  /// Beyond this distance nothing is received.
  private static let reach: Metres = 150
  /// The period of the slow fluctuation, in seconds.
  private static let turn: Int64 = 10

  public let beacons: [PlacedBeacon]
  private let seed: UInt64
  /// The beacons sorted from south to north.
  private let order: [Int]

  public init(_ beacons: [PlacedBeacon], seed: UInt64) {
    self.beacons = beacons
    self.seed = seed
    order = beacons.indices.sorted {
      beacons[$0].position.latitude < beacons[$1].position.latitude
    }
  }

  /// The beacons that may be received there, and some more.
  func near(_ position: Coordinate) -> [Int] {
    let margin = Degrees(Self.reach / Sphere.degree)
    func first(from latitude: Degrees) -> Int {
      order.partitionPoint { beacons[$0].position.latitude >= latitude }
    }
    let (south, north) = (position.latitude - margin, position.latitude + margin)
    return order[first(from: south)..<first(from: north)].sorted()
  }

  /// The mean strength, without fluctuations.
  public func mean(_ index: Int, at state: TrueState) -> DecibelMilliwatts {
    let beacon = beacons[index]
    let distance = max(Sphere.distance(beacon.position, state.position), 0.3)
    guard distance <= Self.reach else { return -200 }
    var level = beacon.frame.strengthAtOneMetre.value - Self.slope * log10(distance.value)
    let isInside = state.reception == .indoors || state.reception == .none
    if isInside || beacon.isIndoors == true {
      level -= min(Self.perMetreIndoors * distance.value, Self.mostIndoors)
    }
    if let isIndoors = beacon.isIndoors, isIndoors != isInside { level -= Self.front }
    return DecibelMilliwatts(level)
  }

  /// The strength of the advertisement in a second; nil: not received.
  public func receivedStrength(
    _ index: Int, second: Int64, at state: TrueState
  ) -> DecibelMilliwatts? {
    let mean = mean(index, at: state)
    guard mean >= Self.sensitivity - 25 else { return nil }
    var random = chance(index, second, stream: 1)
    guard !random.chance(Self.loss) else { return nil }
    let knot = second >= 0 ? second / Self.turn : -1
    let share = Double(second - knot * Self.turn) / Double(Self.turn)
    var before = chance(index, knot, stream: 2)
    var after = chance(index, knot + 1, stream: 2)
    let wandering = (1 - share) * before.gaussian() + share * after.gaussian()
    var level = mean.value + Self.wander * wandering + Self.jump * random.gaussian()
    if random.chance(Self.reflection.chance) { level -= Self.reflection.loss }
    let strength = DecibelMilliwatts(level.rounded())
    return strength >= Self.sensitivity ? min(strength, 20) : nil
  }

  private func chance(_ index: Int, _ number: Int64, stream: UInt64) -> SeededRandom {
    SeededRandom(
      seed: seed ^ (UInt64(index) &* 0x9E37_79B9), stream: UInt64(bitPattern: number) &* 4 + stream)
  }
}
