import Core
import VirtualDevice

/// The route of Landsmann's experiment (2013, section 5.2), second by second.
///
/// His map (Figure 5.2) is not available; what he states is kept: the route begins outside the
/// city, more than 3 km from both places, is ridden at 30 to 35 km/h to the river and at 15 km/h in
/// the inner city, passes the first place at 100 m and crosses the second after 19 minutes (Figure
/// 5.6), and lasts 40 minutes (section 5.1). The places are his (section 5.1.1). On foot (section
/// 5.4.4) it begins so that the second place comes after 15 minutes (Figure 5.9).
public struct LetterboxRoute {
  public enum Pace: String, CaseIterable, Sendable {
    case ride, walk
  }

  /// One is passed at 100 m, the other is crossed.
  public static let places = [
    Coordinate(latitude: 48.297472, longitude: 14.289660),
    Coordinate(latitude: 48.298854, longitude: 14.296153),
  ]
  private static let plane = LocalPlane(origin: places[1])

  /// East and north of the second place, in metres.
  private static let corners: [(east: Double, north: Double)] = [
    (-2850, 4350), (-1000, 3900), (-1900, 2900), (-900, 2100), (-700, 1150), (-580, 400),
    (-580, -300), (-200, -300), (0, 0), (200, 300), (700, 300), (900, -300), (500, -900),
    (-100, -700), (-500, -900), (-900, -500), (-1000, 100), (-800, 500), (-300, 600), (300, 900),
    (900, 900), (1300, 300),
  ]
  /// The indices of the bridge and of the second place.
  private static let (bridge, second) = (4, 8)
  /// The city has Wi-Fi and houses; it begins north of the river.
  private static let cityLimit = 2200.0

  private static let start = UTCInstant(seconds: 1_369_990_800)  // 2013-05-31 09:00
  private static let walkBefore: Seconds = .minutes(15)
  private static let walkingSpeed: MetresPerSecond = 5 / 3.6

  public let pace: Pace
  /// When the route crosses the second place.
  public let passing: Int
  private let points: [LocalPlane.Point]

  /// - Parameter seed: the seed of the speeds, which stay within his limits.
  public init(_ pace: Pace, seed: UInt64) {
    self.pace = pace
    var random = SeededRandom(seed: seed, stream: 11)
    let fast = MetresPerSecond(Double.random(in: 30...35, using: &random) / 3.6)
    let slow = MetresPerSecond(Double.random(in: 14.5...15.5, using: &random) / 3.6)
    let ways = Self.ways
    let beginning = pace == .ride ? 0 : ways[Self.second] - (Self.walkingSpeed * Self.walkBefore)
    var points: [LocalPlane.Point] = []
    var way = beginning
    var passing: Int?
    let length = pace == .ride ? 2400 : 1800
    for second in 0..<length {
      points.append(Self.point(after: way, ways))
      if passing == nil, way >= ways[Self.second] { passing = second }
      let speed = pace == .walk ? Self.walkingSpeed : way < ways[Self.bridge] ? fast : slow
      way += speed * 1
    }
    self.points = points
    self.passing = passing ?? length
  }

  public var length: Int { points.count }

  public func position(at second: Int) -> Coordinate { Self.plane.coordinate(points[second]) }

  /// Whether there is Wi-Fi.
  public func isInCity(at second: Int) -> Bool { points[second].north.value < Self.cityLimit }

  /// Under open sky outside the city, between houses within.
  public var truth: TraceTruth? {
    TraceTruth(
      points.indices.map { second in
        TruthSample(
          time: Self.start + Seconds(Double(second)), position: position(at: second),
          accuracy: isInCity(at: second) ? 50 : 5)
      })
  }

  /// The distance from the beginning to each corner.
  private static let ways: [Metres] = {
    var ways: [Metres] = [0]
    for (a, b) in zip(corners, corners.dropFirst()) {
      ways.append(ways[ways.count - 1] + point(a).distance(to: point(b)))
    }
    return ways
  }()

  private static func point(_ corner: (east: Double, north: Double)) -> LocalPlane.Point {
    LocalPlane.Point(east: Metres(corner.east), north: Metres(corner.north))
  }

  /// The point after a distance; the end of the route if it is longer.
  private static func point(after way: Metres, _ ways: [Metres]) -> LocalPlane.Point {
    guard let next = ways.firstIndex(where: { $0 > way }), next > 0 else {
      return point(corners[corners.count - 1])
    }
    let share = (way - ways[next - 1]) / (ways[next] - ways[next - 1])
    let (a, b) = (corners[next - 1], corners[next])
    return point((a.east + (b.east - a.east) * share, a.north + (b.north - a.north) * share))
  }
}
