import Core
import Places
import Records
import VirtualDevice

/// A stay in a building as in Dias 2011, section 5.4: a place of 50 to 100 m, an intermittent
/// signal, and errors that grow to 300 m; then a departure on foot.
public struct IndoorStay {
  /// When the board is considered to have left.
  public enum Rule: CaseIterable, Sendable {
    /// As soon as a location is outside of the circle.
    case circle
    /// The same, for locations at least that accurate: his guard (section 4.6, minimum accuracy).
    case circleWithin100, circleWithin50
    /// `PlacePresence`, and with evidence of rest.
    case presence, presenceAtRest

    public var words: String {
      switch self {
      case .circle: "a point in a circle"
      case .circleWithin100: "the same, accuracy 100 m or better"
      case .circleWithin50: "the same, accuracy 50 m or better"
      case .presence: "Godwit"
      case .presenceAtRest: "Godwit, with evidence of rest"
      }
    }

    var worst: Metres {
      switch self {
      case .circleWithin100: 100
      case .circleWithin50: 50
      default: Metres(.infinity)
      }
    }
  }

  /// False departures during the stay.
  public private(set) var falseDepartures = 0
  /// From crossing the edge on foot; nil: not noticed within a quarter of an hour.
  public private(set) var delay: Seconds?

  private static let centre = Coordinate(latitude: 52, longitude: 5)
  /// A fix attempt every minute.
  private static let minutes = 120
  private static let away = 15
  /// Metres per minute.
  private static let pace = 75.0

  private let radius: Metres
  private var chance: SeededRandom
  private var judge: Judge

  /// - Parameter drifts: whether the receiver also reports for ten minutes a place 150 to 300 m
  ///   away with the best accuracies, which only evidence of rest can refute.
  public init(_ rule: Rule, drifts: Bool = false, seed: UInt64) {
    chance = SeededRandom(seed: seed)
    radius = Metres(chance.uniform(in: 50...100))
    judge = Judge(rule, PlaceRegion(.circle(radius: radius), around: Self.centre))
    _ = judge.located(Self.location(8, east: 0, north: 0), at: Self.at(0))
    judge.rests(at: Self.at(1))
    stay(drifts: drifts)
    leave()
  }

  private static func at(_ minute: Double) -> BootInstant { .zero + .minutes(minute) }

  private static func location(_ accuracy: Double, east: Double, north: Double) -> Location {
    let position = Sphere.destination(
      from: Sphere.destination(from: centre, bearing: 90, distance: Metres(east)), bearing: 0,
      distance: Metres(north))
    return Location(
      time: UTCInstant(seconds: 1_780_000_000), position: position, accuracy: Metres(accuracy),
      speed: nil, track: nil, altitude: nil, source: .gnss)
  }

  /// The error's scale wanders between 5 and 200 m.
  private mutating func stay(drifts: Bool) {
    var scale = 8.0
    let drift = drifts ? Int(chance.uniform(in: 20...100)) : .max
    for minute in 2...Self.minutes {
      scale = min(max(scale * chance.uniform(in: 0.5...2.1), 5), 200)
      if chance.chance(0.15) {
        judge.searchFailed(at: Self.at(Double(minute)))
        continue
      }
      var accuracy = scale * 1.51
      var (east, north) = (scale * chance.gaussian(), scale * chance.gaussian())
      if minute >= drift, minute < drift + 10 {
        (east, north, accuracy) = (chance.uniform(in: 150...300), 0, 8)
      } else if chance.chance(0.08) {
        // An outlier: a reflection. Half of them report a good accuracy.
        east = chance.uniform(in: 150...300)
        accuracy = chance.chance(0.5) ? chance.uniform(in: 5...30) : 300
        // Reflections come with a weak signal.
        scale = max(scale, 80)
      }
      let length = (east * east + north * north).squareRoot()
      if length > 300 { (east, north) = (east * 300 / length, north * 300 / length) }
      let location = Self.location(accuracy, east: east, north: north)
      if judge.located(location, at: Self.at(Double(minute))) { falseDepartures += 1 }
    }
  }

  /// On foot, in the open, with a fix attempt as often as `PlaceWatch` would make one.
  private mutating func leave() {
    let start = Double(Self.minutes) + 1
    judge.moves(at: Self.at(start))
    for third in 1...Self.away * 3 {
      let minutes = Double(third) / 3
      let location = Self.location(
        10, east: Self.pace * minutes + 6 * chance.gaussian(), north: 6 * chance.gaussian())
      _ = judge.located(location, at: Self.at(start + minutes))
      guard !judge.isInside else { continue }
      delay = max(.minutes(minutes) - .minutes(radius.value / Self.pace), 0)
      return
    }
  }
}

/// Decides by one rule.
private struct Judge {
  private let rule: IndoorStay.Rule
  private let region: PlaceRegion
  private var presence: PlacePresence
  private(set) var isInside = true

  init(_ rule: IndoorStay.Rule, _ region: PlaceRegion) {
    self.rule = rule
    self.region = region
    presence = PlacePresence(region)
  }

  /// - Returns: whether the board has left, according to this location.
  mutating func located(_ location: Location, at now: BootInstant) -> Bool {
    let was = isInside
    switch rule {
    case .presence, .presenceAtRest:
      if let change = presence.step(.located(location), at: now) { isInside = change.to == .inside }
    default:
      if location.accuracy <= rule.worst { isInside = region.contains(location.position) }
    }
    return was && !isInside
  }

  mutating func searchFailed(at now: BootInstant) { _ = presence.step(.searchFailed, at: now) }

  mutating func rests(at now: BootInstant) {
    if rule == .presenceAtRest { _ = presence.step(.resting(since: .zero), at: now) }
  }

  mutating func moves(at now: BootInstant) {
    if rule == .presenceAtRest { _ = presence.step(.moving(since: now), at: now) }
  }
}
