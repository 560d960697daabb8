import Core
import Places
import Records
import VirtualDevice

/// A board whose receiver is always on, in a circle of 50 m and out of it again: a location every
/// second, whose errors wander as those of a receiver do, with a speed of their own.
public struct SteadyWalk {
  /// What the receiver is told to be wrong by.
  public struct Errors: Sendable {
    /// Of the position, in each direction, and how long it lasts.
    public var sigma = 2.0
    public var correlation: Seconds = 120
    /// What it says of its own accuracy.
    public var accuracy: Metres = 5
    /// Of the speed.
    public var speed = 0.1
    /// How often in a second a reflection pulls it away for some seconds, and how far.
    public var leaps = 0.0
    public var leap = 60.0

    public init() {}
  }

  private static let centre = Coordinate(latitude: 52, longitude: 5)
  public static let radius: Metres = 50

  /// When it was told to have left, from the beginning.
  public private(set) var departures: [Seconds] = []

  /// - Parameters:
  ///   - tellsSpeed: whether the receiver says how fast it is.
  ///   - east: where it is at a time, from the centre.
  public init(
    _ errors: Errors, seconds: Int, seed: UInt64, tellsSpeed: Bool = true,
    east: (Double) -> Double
  ) {
    var chance = SeededRandom(seed: seed)
    var presence = PlacePresence(
      PlaceRegion(.circle(radius: Self.radius), around: Self.centre), state: .inside)
    // As a first-order Gauss-Markov process.
    let keep = 1 - 1 / errors.correlation.value
    let renew = errors.sigma * (1 - keep * keep).squareRoot()
    var slow = (east: 0.0, north: 0.0)
    var (leap, left) = (0.0, 0)
    for second in 0..<seconds {
      slow.east = slow.east * keep + renew * chance.gaussian()
      slow.north = slow.north * keep + renew * chance.gaussian()
      if left > 0 {
        left -= 1
      } else if chance.chance(errors.leaps) {
        (leap, left) = (errors.leap * chance.gaussian(), 1 + Int(chance.uniform(in: 0...11)))
      }
      let time = Double(second)
      let speed = (east(time + 0.5) - east(time - 0.5)).magnitude + errors.speed * chance.gaussian()
      let location = Location(
        time: UTCInstant(seconds: 1_780_000_000 + time),
        position: Sphere.destination(
          from: Sphere.destination(
            from: Self.centre, bearing: 90,
            distance: Metres(east(time) + slow.east + (left > 0 ? leap : 0))),
          bearing: 0, distance: Metres(slow.north)),
        accuracy: errors.accuracy,
        speed: tellsSpeed ? MetresPerSecond(speed.magnitude) : nil, track: nil, altitude: nil,
        source: .gnss)
      let change = presence.step(.located(location), at: .zero + Seconds(time))
      if change?.to == .outside { departures.append(Seconds(time)) }
    }
  }
}
