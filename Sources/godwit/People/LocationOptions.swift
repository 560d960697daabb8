import ArgumentParser
import Core
import Messaging
import Places

/// The options for a location: a place of the store, or a position.
struct LocationOptions: ParsableArguments {
  @Option(help: "Place of the store: its name or UUID (or its first digits).")
  var place: String?
  @Option(
    help: ArgumentHelp(
      "Position in degrees. If the latitude is negative, write --at=-36.8,174.7",
      valueName: "lat,lon"), transform: PositionOption.read)
  var at: PositionOption?

  func validate() throws {
    guard place == nil || at == nil else {
      throw ValidationError("use only one of --place and --at")
    }
  }

  var isGiven: Bool { place != nil || at != nil }

  /// Nil if none was given.
  func spot(_ store: StoreOptions) throws -> SpecifiedLocation? {
    if let at { return SpecifiedLocation(at.position) }
    return try place.map { try SpecifiedLocation(try store.places().place($0)) }
  }
}

/// A location given on the command line.
struct SpecifiedLocation {
  /// The name of the place.
  let name: String?
  let position: Coordinate
  /// For a place: its own circle, or one around the box of its polygons.
  let circle: SphericalCap?
  /// For a place with polygons.
  let polygons: [PerimeterPolygon]?

  init(_ position: Coordinate) {
    name = nil
    self.position = position
    circle = nil
    polygons = nil
  }

  init(_ place: Place) throws(CommandError) {
    guard case .fixed(let position) = place.location, let region = place.region() else {
      throw .failed(
        "\(place.name) moves with a device: use --at, or a place with a fixed position")
    }
    name = place.name
    self.position = position
    switch place.perimeter {
    case .circle(let radius):
      circle = SphericalCap(centre: position, radius: radius)
      polygons = nil
    case .polygons(let drawn):
      circle = Self.circle(around: region.box)
      polygons = drawn
    }
  }

  /// - Parameter radius: the given radius; nil: none was given.
  func letterCircle(radius: Double?) throws(CommandError) -> LetterCircle {
    try CommandError.usage { () throws(MessageError) in
      try LetterCircle(
        centre: circle?.centre ?? position,
        radius: radius.map { Metres($0) } ?? circle?.radius ?? LetterCircle.landsmann, name: name)
    }
  }

  private static func circle(around box: GeographicBox) -> SphericalCap {
    let width = box.east.value - box.west.value + (box.crossesAntimeridian ? 360 : 0)
    let middle = box.west.value + width / 2
    let centre = Coordinate(
      latitude: Degrees((box.south.value + box.north.value) / 2),
      longitude: Degrees(middle > 180 ? middle - 360 : middle))
    let corners = [box.south, box.north].map { Coordinate(latitude: $0, longitude: box.east) }
    return SphericalCap(
      centre: centre, radius: corners.map { Sphere.distance(centre, $0) }.max() ?? 0)
  }
}
