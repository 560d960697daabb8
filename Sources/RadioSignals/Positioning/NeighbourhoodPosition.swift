import Core

/// Where the board is by the access points around it.
public struct NeighbourhoodPosition: Hashable, Sendable {
  public let position: Coordinate
  /// The radius that holds the truth in 68 %.
  public let accuracy: Metres
  /// How many access points agree on it.
  public let accessPoints: Int

  /// A single access point places the board only if that many fixes on several days taught it.
  static let fixesOfSingle = 5
  static let daysOfSingle = 2

  /// - Parameter places: what is known of the access points of the scan; others are passed over.
  /// - Returns: nil when too little is known: fewer than two that agree (or one that is well
  ///   known), or no majority among the known ones.
  public init?(of neighbourhood: Neighbourhood, among places: [AccessPointPlace]) {
    let known = Self.witnesses(neighbourhood, places)
    guard let first = known.first else { return nil }
    let plane = LocalPlane(origin: first.place.position)
    let agreeing = Self.largestAgreeing(known.map { Anchor($0.strength, $0.place, on: plane) })
    guard agreeing.count * 2 > known.count else { return nil }
    if agreeing.count == 1 {
      guard first.place.fixes >= Self.fixesOfSingle, first.place.days >= Self.daysOfSingle
      else { return nil }
    }
    let fit = AnchorFit(agreeing)
    position = plane.coordinate(fit.centre)
    accuracy = fit.radius
    accessPoints = agreeing.count
  }

  private static func witnesses(
    _ neighbourhood: Neighbourhood, _ places: [AccessPointPlace]
  ) -> [(strength: Double, place: AccessPointPlace)] {
    var trusted: [Int64: AccessPointPlace] = [:]
    for place in places where place.isTrusted { trusted[place.pseudonym] = place }
    return neighbourhood.hearings.compactMap { hearing in
      trusted[hearing.pseudonym].map { (hearing.strength, $0) }
    }
  }

  /// Those that can be heard together with one of them, for the one for which they are most: a
  /// single strong one that has moved does not outweigh many.
  private static func largestAgreeing(_ anchors: [Anchor]) -> [Anchor] {
    var best: (weight: Double, anchors: [Anchor]) = (0, [])
    for candidate in anchors {
      let near = anchors.filter { candidate.canBeHeard(with: $0) }
      let weight = near.reduce(0) { $0 + $1.weight }
      if (near.count, weight) > (best.anchors.count, best.weight) { best = (weight, near) }
    }
    return best.anchors
  }
}

/// A known access point of a scan, on the plane.
struct Anchor {
  let point: LocalPlane.Point
  /// How much more strongly it is heard than when it was learnt, in decibels.
  let change: Double
  /// What is not known of its own place, in each direction: a variance, in square metres.
  let variance: Double
  /// How many have taught it.
  let fixes: Int
  private let farthest: Metres
  /// What it says about the board's place, as the inverse square of metres.
  let weight: Double

  init(_ strength: Double, _ place: AccessPointPlace, on plane: LocalPlane) {
    point = plane.point(place.position)
    change = strength - place.strength
    variance = 1 / place.weight
    fixes = place.fixes
    farthest = SignalDistance.farthest(strength)
    let away = SignalDistance.typical(strength).value
    let scatter = place.spread.value * place.spread.value / 2 / Double(min(place.fixes, 10))
    weight = 1 / (away * away / 2 + scatter + variance)
  }

  /// Both are heard at one place, so that their circles overlap.
  func canBeHeard(with other: Anchor) -> Bool {
    point.distance(to: other.point) <= farthest + other.farthest
  }
}
