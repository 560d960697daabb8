import Core
import Places
import Records
import VirtualDevice

/// A board whose receiver is always on, in a circle of 50 m and out of it again: a location every
/// second, with correlated errors as of a real receiver, and a speed with errors of its own.
public struct SteadyWalk {
  /// The simulated errors of the receiver.
  public struct Errors: Sendable {
    /// Standard deviation of the position in each direction, and its correlation time.
    public var sigma = 2.0
    public var correlation: Seconds = 120
    /// The accuracy that the receiver reports.
    public var accuracy: Metres = 5
    /// Standard deviation of the speed.
    public var speed = 0.1
    /// The probability per second of a reflection that lasts some seconds, and its offset.
    public var leaps = 0.0
    public var leap = 60.0

    public init() {}
  }

  private static let centre = Coordinate(latitude: 52, longitude: 5)
  public static let radius: Metres = 50

  /// When departures were reported, from the beginning.
  public private(set) var departures: [Seconds] = []

  /// - Parameters:
  ///   - tellsSpeed: whether the receiver reports its speed.
  ///   - east: the position at a time, east of the centre.
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
