import Core

/// A perimeter at its position, prepared for queries: created once, queried without allocation.
public struct PlaceRegion: Sendable {
  private enum Form {
    case cap(SphericalCap)
    case polygons(SphericalRegion)
  }

  private let form: Form
  /// The distance beyond the perimeter; a circle includes it in its radius.
  private let margin: Metres
  public let box: GeographicBox
  /// On the sphere, without holes.
  public let area: SquareMetres

  /// - Parameters:
  ///   - perimeter: one that has been checked, with its polygons at their positions.
  ///   - centre: of a circle; unused for polygons.
  ///   - margin: the distance beyond the perimeter.
  public init(_ perimeter: Perimeter, around centre: Coordinate, margin: Metres = 0) {
    switch perimeter {
    case .circle(let radius):
      let cap = SphericalCap(centre: centre, radius: radius + margin)
      self.margin = 0
      form = .cap(cap)
      box = cap.box
      area = cap.area
    case .polygons(let polygons):
      let region = SphericalRegion(polygons.map { ($0.outer, $0.holes) })
      form = .polygons(region)
      self.margin = margin
      box = region.box
      area = region.area
    }
  }

  private init(_ region: SphericalRegion, margin: Metres) {
    form = .polygons(region)
    self.margin = margin
    box = region.box
    area = region.area
  }

  /// The same polygons with another margin, which take no more memory; nil for a circle.
  func polygons(margin: Metres) -> PlaceRegion? {
    guard case .polygons(let region) = form else { return nil }
    return PlaceRegion(region, margin: margin)
  }

  /// From a position to the nearest edge: negative inside, measured as in `Sphere`.
  public func signedDistance(from position: Coordinate) -> Metres {
    switch form {
    case .cap(let cap): cap.signedDistance(from: position)
    case .polygons(let region): region.signedDistance(from: position) - margin
    }
  }

  /// The radius of a circle of equal area.
  public var size: Metres { Metres((area.value / .pi).squareRoot()) }

  /// The probability that the true position is inside.
  /// - Parameter signedDistance: of the position.
  func probabilityInside(
    _ error: CircularError, measuredAt position: Coordinate, at signedDistance: Metres
  ) -> Double {
    switch form {
    case .cap(let cap): error.probability(inside: cap, measuredAt: position)
    // With a margin, the edge is approximated as straight.
    case .polygons where margin > 0: error.probability(withinStraightEdgeAt: signedDistance)
    case .polygons(let region):
      error.probability(inside: region, measuredAt: position, at: signedDistance)
    }
  }

  /// Whether an exact position is inside.
  public func contains(_ position: Coordinate) -> Bool {
    switch form {
    case .cap(let cap): cap.signedDistance(from: position) <= 0
    case .polygons(let region):
      margin > 0 ? signedDistance(from: position) <= 0 : region.contains(position)
    }
  }
}
