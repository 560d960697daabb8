import Core

/// The surroundings whose places are known: as wide as necessary to contain some, and no wider than
/// what can be monitored.
struct PlaceWindow: Hashable, Sendable {
  /// With fewer places the window is widened, with more it is narrowed.
  private static let fewest = 20
  static let most = 256
  private static let radii: ClosedRange<Metres> = 250...1_024_000
  private static let step = 4.0

  let centre: Coordinate
  let radius: Metres
  /// A radius with too many places.
  private let tooWide: Metres?

  /// - Parameter radius: the last suitable one; nil: the density of places is unknown.
  init(around centre: Coordinate, radius: Metres? = nil) {
    self.init(around: centre, radius: radius ?? 16_000, tooWide: nil)
  }

  private init(around centre: Coordinate, radius: Metres, tooWide: Metres?) {
    self.centre = centre
    self.radius = radius
    self.tooWide = tooWide
  }

  var box: GeographicBox { SphericalCap(centre: centre, radius: radius).box }

  /// Whether the search ends at its edge: there were hardly any places.
  var isWidest: Bool { radius >= Self.radii.upperBound }

  /// How far a position is from the window's edge; negative outside.
  func depth(of position: Coordinate) -> Metres {
    radius - Sphere.distance(centre, position)
  }

  /// A window of another width, for the number of places within; nil: the width is suitable.
  func resized(for count: Int) -> PlaceWindow? {
    if count > Self.most, radius > Self.radii.lowerBound {
      let narrower = max(radius / Self.step, Self.radii.lowerBound)
      return PlaceWindow(around: centre, radius: narrower, tooWide: radius)
    }
    guard count < Self.fewest, tooWide == nil, radius < Self.radii.upperBound else { return nil }
    let wider = min(radius * Self.step, Self.radii.upperBound)
    return PlaceWindow(around: centre, radius: wider, tooWide: nil)
  }
}
