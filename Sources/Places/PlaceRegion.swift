import Geodesy
import Quantities

/// A perimeter where it is, ready for many questions: made once, asked without allocating.
public struct PlaceRegion: Sendable {
  private enum Form {
    case cap(SphericalCap)
    case polygons(SphericalRegion)
  }

  private let form: Form
  public let box: GeographicBox
  /// On the sphere, without holes.
  public let area: SquareMetres

  /// - Parameters:
  ///   - perimeter: one that has been checked, with its polygons where they are.
  ///   - centre: of a circle; polygons do not need it.
  public init(_ perimeter: Perimeter, around centre: Coordinate) {
    switch perimeter {
    case .circle(let radius):
      let cap = SphericalCap(centre: centre, radius: radius)
      form = .cap(cap)
      box = cap.box
      area = cap.area
    case .polygons(let polygons):
      let region = SphericalRegion(polygons.map { ($0.outer, $0.holes) })
      form = .polygons(region)
      box = region.box
      area = region.area
    }
  }

  /// From a position to the nearest edge: negative inside, as `Sphere` measures.
  public func signedDistance(from position: Coordinate) -> Metres {
    switch form {
    case .cap(let cap): cap.signedDistance(from: position)
    case .polygons(let region): region.signedDistance(from: position)
    }
  }

  /// The radius of a circle as large.
  public var size: Metres { Metres((area.value / .pi).squareRoot()) }

  /// That the true position is inside.
  /// - Parameter signedDistance: of the position.
  func probabilityInside(
    _ error: CircularError, measuredAt position: Coordinate, at signedDistance: Metres
  ) -> Double {
    switch form {
    case .cap(let cap): error.probability(inside: cap, measuredAt: position)
    case .polygons(let region):
      error.probability(inside: region, measuredAt: position, at: signedDistance)
    }
  }

  /// Whether a position that is known exactly is inside.
  public func contains(_ position: Coordinate) -> Bool {
    switch form {
    case .cap(let cap): cap.signedDistance(from: position) <= 0
    case .polygons(let region): region.contains(position)
    }
  }
}
