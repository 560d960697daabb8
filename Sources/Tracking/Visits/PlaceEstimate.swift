import Core

/// An estimate of a place on the detector's plane, in metres.
struct PlaceEstimate: Hashable, Sendable {
  private(set) var x: Double
  private(set) var y: Double
  /// The standard error in each direction.
  private(set) var sigma: Double

  /// The radius that contains the true place in two of three cases.
  var radius: Double { sigma * Self.radiusPerDeviation }

  /// Of a normal distribution: √(-2 ln 0.32).
  private static let radiusPerDeviation = 1.51
  /// The way from where the board was last located to the middle of a place: a doorway, a room.
  private static let doorway = 10.0
  /// The net progress along the course as a share of speed times time: vehicles slow down, and
  /// streets bend.
  private static let progress = 0.5
  /// The deviation from that, as a share of speed times time.
  private static let deviation = 0.35

  init(x: Double, y: Double, sigma: Double) {
    self.x = x
    self.y = y
    self.sigma = sigma
  }

  /// The place of a visit, with the radius as its accuracy.
  init(_ point: LocalPlane.Point, radius: Metres) {
    self.init(
      x: point.east.value, y: point.north.value,
      sigma: max(1, radius.value / Self.radiusPerDeviation))
  }

  /// Where the board came to rest after its last location in motion.
  /// - Parameter time: from the location to the rest, in nanoseconds.
  init(after moving: PlanarLocation, for time: Int64) {
    self.init(moving, length: moving.speed * Double(max(0, time)) / 1e9)
  }

  /// Where the board set off before its first location in motion.
  /// - Parameter time: from the departure to the location, in nanoseconds.
  init(before moving: PlanarLocation, for time: Int64) {
    self.init(moving, length: -moving.speed * Double(max(0, time)) / 1e9)
  }

  /// - Parameter length: of the way to the place, negative against the course.
  private init(_ moving: PlanarLocation, length: Double) {
    // Without a course the place may lie in any direction.
    let deviation = (moving.course == nil ? Self.progress : Self.deviation) * length
    let end = LocalPlane.Point(
      bearing: Degrees(moving.course ?? 0),
      distance: Metres(moving.course == nil ? 0 : Self.progress * length))
    x = moving.x + end.east.value
    y = moving.y + end.north.value
    sigma =
      (moving.sigma * moving.sigma + deviation * deviation + Self.doorway * Self.doorway)
      .squareRoot()
  }

  /// How long a way of that many metres takes at most, at the speed of a location in motion, in
  /// nanoseconds.
  static func longest(_ way: Double, at moving: PlanarLocation) -> Int64 {
    Seconds(way / (progress * moving.speed)).nanosecondsClamped
  }

  func distance(to other: PlaceEstimate) -> Double {
    let (dx, dy) = (x - other.x, y - other.y)
    return (dx * dx + dy * dy).squareRoot()
  }

  /// Whether both cannot be estimates of the same place: they differ by more than three standard
  /// errors.
  func contradicts(_ other: PlaceEstimate) -> Bool {
    distance(to: other) > 3 * (sigma * sigma + other.sigma * other.sigma).squareRoot()
  }

  /// The mean of independent estimates, weighted by their accuracy. Where they contradict each
  /// other, they are less accurate than they claim (Birge 1932).
  static func mean(of estimates: [PlaceEstimate]) -> PlaceEstimate? {
    guard var mean = estimates.first, estimates.count > 1 else { return estimates.first }
    var weight = 0.0
    var (x, y) = (0.0, 0.0)
    for estimate in estimates {
      let w = 1 / (estimate.sigma * estimate.sigma)
      weight += w
      x += w * estimate.x
      y += w * estimate.y
    }
    mean.x = x / weight
    mean.y = y / weight
    let squares = estimates.reduce(0.0) { sum, estimate in
      let dx = estimate.x - mean.x
      let dy = estimate.y - mean.y
      return sum + (dx * dx + dy * dy) / (estimate.sigma * estimate.sigma)
    }
    let contradiction = max(1, squares / Double(estimates.count - 1))
    mean.sigma = (contradiction / weight).squareRoot()
    return mean
  }

  mutating func move(_ shift: PlaneShift) { shift.move(&x, &y) }

  static let coding = SnapshotFields<PlaceEstimate>([
    .required("x", \.x, .metres), .required("y", \.y, .metres),
    .required("sigma", \.sigma, .positiveLength),
  ]).coding(onto: PlaceEstimate(x: 0, y: 0, sigma: 1))
}
