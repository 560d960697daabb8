import Records
import Core
import Tracking
import VirtualDevice

/// One of Landsmann's phones on the route, with his rule or always at its best accuracy.
///
/// The means of location at each level are those he found: cells within 1400 m at FAR (Figure 3.9)
/// and outside the city at MEDIUM, too, as "GPS is not yet activated at this setting" (section
/// 4.5.2); Wi-Fi within 65 m in the city (section 5.4.3); GPS within 10 m at CLOSE (section 5.4.4)
/// once it has a fix. Each error is normally distributed so that its accuracy contains 68 %, and
/// changes as the phone moves: along 75 m for Wi-Fi and 1 km for cells, which is a guess, as he
/// states no figure. The receiver is the virtual one; it starts cold, as his phones were restarted
/// before every run (section 3.2).
public struct PhoneTrial {
  public private(set) var located: LocatedRun
  /// The level, second by second.
  public private(set) var levels: [ProximityLevel] = []

  /// The share of the time at a level.
  public func share(_ level: ProximityLevel) -> Double {
    Double(levels.count { $0 == level }) / Double(max(levels.count, 1))
  }

  /// - Parameter rule: nil: always at the best accuracy.
  public init(on route: LetterboxRoute, rule: ProximityLevel.Rule?, seed: UInt64) {
    located = LocatedRun(passing: route.passing)
    guard let truth = route.truth else { return }
    let board = VirtualBoard(
      groundTruth: truth, settings: VirtualBoardSettings(coarse: nil, seed: seed))
    var positions = PhonePositions(seed: seed)
    var level = ProximityLevel.far
    var counted: (position: Coordinate, accuracy: Metres, distance: Metres)?
    for second in 0..<route.length {
      board.advance(to: .zero + Seconds(Double(second)))
      if rule == nil { level = .close }
      try? board.powerSwitch.set(.supply, active: level == .close)
      let position = positions.next(
        near: route.position(at: second),
        from: Self.means(
          level, isInCity: route.isInCity(at: second),
          hasFix: board.receiver.gnssState == .tracking))
      let isFar = counted.map {
        Sphere.distance($0.position, position.coordinate)
          >= ProximityLevel.filter(at: $0.distance)
      }
      if isFar ?? true {
        let distance =
          LetterboxRoute.places.map { Sphere.distance($0, position.coordinate) }.min() ?? 0
        counted = (position.coordinate, position.accuracy, distance)
        located.took(position.coordinate, within: position.accuracy)
        if let rule {
          level = ProximityLevel.level(
            at: distance, accuracy: position.accuracy, current: level, by: rule)
        }
      }
      levels.append(level)
      located.secondPassed(counted?.accuracy)
    }
  }

  private static func means(
    _ level: ProximityLevel, isInCity: Bool, hasFix: Bool
  ) -> PhonePositions.Means {
    if level == .close, hasFix { return .gps }
    return level != .far && isInCity ? .wifi : .cell
  }
}

/// A phone's estimated position, by each of its means.
private struct PhonePositions {
  enum Means: Int { case cell, wifi, gps }

  /// By the means: the radius that contains 68 %, and the distance over which the error changes.
  private static let laws: [(accuracy: Metres, way: Metres)] = [(1400, 1000), (65, 75), (10, 50)]
  /// Radius that contains 68 % of a bivariate normal distribution, in standard deviations.
  private static let coverage = 1.5096

  private var random: SeededRandom
  /// In standard deviations.
  private var errors: [(east: Double, north: Double)]
  private var last: Coordinate?

  init(seed: UInt64) {
    random = SeededRandom(seed: seed, stream: 12)
    errors = []
    for _ in Self.laws { errors.append((random.normal(), random.normal())) }
  }

  mutating func next(
    near truth: Coordinate, from means: Means
  ) -> (coordinate: Coordinate, accuracy: Metres) {
    let way = last.map { Sphere.distance($0, truth) } ?? 0
    last = truth
    for (index, law) in Self.laws.enumerated() {
      let keep = max(0, 1 - way / law.way)
      let renew = (1 - keep * keep).squareRoot()
      errors[index].east = errors[index].east * keep + renew * random.normal()
      errors[index].north = errors[index].north * keep + renew * random.normal()
    }
    let (error, accuracy) = (errors[means.rawValue], Self.laws[means.rawValue].accuracy)
    let deviation = accuracy / Self.coverage
    let point = LocalPlane.Point(east: deviation * error.east, north: deviation * error.north)
    return (LocalPlane(origin: truth).coordinate(point), accuracy)
  }
}

extension SeededRandom {
  /// Approximately normal: the sum of twelve uniform numbers has a variance of 1.
  fileprivate mutating func normal() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &self) }
  }
}
