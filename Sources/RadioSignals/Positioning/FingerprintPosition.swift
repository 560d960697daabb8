import Core

/// The board's position from the access points around it.
public struct FingerprintPosition: Hashable, Sendable {
  public let position: Coordinate
  /// The radius that contains the true position with 68 %.
  public let accuracy: Metres
  /// The number of access points that agree.
  public let accessPoints: Int

  /// The minimum number of fixes and days for positioning by a single access point.
  static let fixesOfSingle = 5
  static let daysOfSingle = 2

  /// - Parameter places: the known access points; those that the scan does not contain are ignored.
  /// - Returns: nil if too little is known: fewer than two that agree (or one that is well known),
  ///   or no majority among the known ones.
  public init?(of neighbourhood: RadioFingerprint, among places: [AccessPointPlace]) {
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
    _ neighbourhood: RadioFingerprint, _ places: [AccessPointPlace]
  ) -> [(strength: Double, place: AccessPointPlace)] {
    var trusted: [Int64: AccessPointPlace] = [:]
    for place in places where place.isTrusted { trusted[place.pseudonym] = place }
    return neighbourhood.signals.compactMap { hearing in
      trusted[hearing.pseudonym].map { (hearing.strength, $0) }
    }
  }

  /// The largest group of anchors that can be received together with one of them: a single strong
  /// access point that has moved does not outweigh many.
  private static func largestAgreeing(_ anchors: [Anchor]) -> [Anchor] {
    var best: (weight: Double, anchors: [Anchor]) = (0, [])
    for candidate in anchors {
      let near = anchors.filter { candidate.canBeReceived(with: $0) }
      let weight = near.reduce(0) { $0 + $1.weight }
      if (near.count, weight) > (best.anchors.count, best.weight) { best = (weight, near) }
    }
    return best.anchors
  }
}

/// A known access point of a scan, on the plane.
struct Anchor {
  let point: LocalPlane.Point
  /// The difference between its current and its learnt strength, in decibels.
  let change: Double
  /// The variance of its position in each direction, in square metres.
  let variance: Double
  /// The number of fixes that it was learnt from.
  let fixes: Int
  private let farthest: Metres
  /// The weight for the board's position, in 1/m².
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

  /// Both can be received at one place: their circles overlap.
  func canBeReceived(with other: Anchor) -> Bool {
    point.distance(to: other.point) <= farthest + other.farthest
  }
}
