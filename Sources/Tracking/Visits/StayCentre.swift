import Core
import Records

/// The position of a stay as the weighted mean of its locations, and its accuracy. Metres of the
/// detector's plane.
struct StayCentre: Hashable, Sendable {
  private(set) var x: Double
  private(set) var y: Double
  /// Sum of the weights 1/sigma² and of weighted squared distances from the centre.
  private var weight: Double
  private var squares = 0.0
  private(set) var locations = 1
  /// Whether only coarse sources have located the board there.
  private(set) var isFromCoarseSources: Bool
  /// Whether their errors are so large that they indicate little more than the district.
  private(set) var isCoarse: Bool
  private(set) var firstSigma: Double
  private(set) var bestSigma: Double

  init(_ seen: PlanarLocation) {
    x = seen.x
    y = seen.y
    weight = 1 / (seen.sigma * seen.sigma)
    isFromCoarseSources = seen.isFromCoarseSource
    isCoarse = seen.isCoarse
    firstSigma = seen.sigma
    bestSigma = seen.sigma
  }

  /// The weighted mean moves by its share (West 1979: one pass, no cancellation).
  mutating func add(_ seen: PlanarLocation) {
    let w = 1 / (seen.sigma * seen.sigma)
    let dx = seen.x - x
    let dy = seen.y - y
    weight += w
    let share = w / weight
    x += dx * share
    y += dy * share
    squares += w * (1 - share) * (dx * dx + dy * dy)
    locations += 1
    isFromCoarseSources = isFromCoarseSources && seen.isFromCoarseSource
    isCoarse = isCoarse && seen.isCoarse
    if seen.sigma < bestSigma { bestSigma = seen.sigma }
  }

  mutating func move(_ shift: PlaneShift) { shift.move(&x, &y) }

  /// Replaces the centre by a better estimate that excludes the paths to the place and away. Their
  /// locations still count for its accuracy.
  mutating func settle(at point: (x: Double, y: Double)) {
    let dx = point.x - x
    let dy = point.y - y
    // The sum of squares about another point (Steiner, the parallel axis theorem).
    squares += weight * (dx * dx + dy * dy)
    x = point.x
    y = point.y
  }

  /// Standard error of the centre. GNSS errors stay correlated for about a minute, so a dense
  /// source has fewer independent locations than it sends. The towers around a place are always the
  /// same: however often they answer, they count as one.
  func standardError(over minutes: Double) -> Double {
    let independent = isCoarse ? 1 : max(1, min(Double(locations), minutes))
    let claimed = Double(locations) / weight
    let scattered = squares / weight / 2
    return max(2, (max(claimed, scattered) / independent).squareRoot())
  }

  func estimate(over minutes: Double) -> PlaceEstimate {
    PlaceEstimate(x: x, y: y, sigma: standardError(over: minutes))
  }

  static let coding = SnapshotFields<StayCentre>(positionFields + qualityFields).coding(
    onto: StayCentre(PlanarLocation(time: 0, x: 0, y: 0, sigma: 1)))
  static let positionFields: [SnapshotField<StayCentre>] = [
    .required("x", \.x, .metres), .required("y", \.y, .metres),
  ]
  static let qualityFields: [SnapshotField<StayCentre>] = [
    .required("weight", \.weight, .number { $0 > 0 && $0 <= 1e20 }),
    .required("squares", \.squares, .number(0...1e20)),
    .required("sightings", \.locations, .count, merge: { max(1, $1) }),
    .defaulted("is_from_coarse_sources", \.isFromCoarseSources, .flag, false),
    .defaulted("is_coarse", \.isCoarse, .flag, false),
    .required("first_sigma", \.firstSigma, .positiveLength),
    .required("best_sigma", \.bestSigma, .positiveLength),
  ]
}
