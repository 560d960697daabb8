import Core
import Places
import Records

/// Where a meeting can be discovered (Chughtai 2015, 4.3.1: "the geographical area within which the
/// details of the meeting can be seen").
public struct MeetingRegion: Hashable, Sendable {
  public let perimeter: Perimeter
  /// Circles only.
  private let centre: Coordinate

  /// A circle around a position.
  public init(around centre: Coordinate, radius: Metres) throws(MessageError) {
    try MessageCheck.position(centre, at: "latitude")
    try MessageCheck.quantity(radius, MessagingLimits.meetingRadius, "radius", at: "radius_m")
    self.centre = MessageCheck.rounded(centre)
    perimeter = .circle(radius: MessageCheck.rounded(radius, digits: 1))
    try checkSize(at: "radius_m")
  }

  /// Drawn polygons.
  public init(_ polygons: [PerimeterPolygon]) throws(MessageError) {
    let corners = polygons.reduce(0) { sum, polygon in
      polygon.holes.reduce(sum + polygon.outer.count) { $0 + $1.count }
    }
    guard corners <= MessagingLimits.corners else {
      throw MessageError(
        "\(corners) corners: simplify it to at most \(MessagingLimits.corners)", at: "polygons")
    }
    for corner in polygons.flatMap({ [$0.outer] + $0.holes }).joined() {
      try MessageCheck.position(corner, at: "polygons")
    }
    func rounded(_ ring: [Coordinate]) -> [Coordinate] { ring.map { MessageCheck.rounded($0) } }
    let perimeter = Perimeter.polygons(
      polygons.map {
        PerimeterPolygon(outer: rounded($0.outer), holes: $0.holes.map(rounded))
      })
    do { try perimeter.check() } catch { throw MessageError(error.reason, at: error.path) }
    self.perimeter = perimeter
    centre = Coordinate(latitude: 0, longitude: 0)
    try checkSize(at: "polygons")
  }

  private func checkSize(at path: String) throws(MessageError) {
    guard TopicArea.covering(region.box) != nil else {
      throw MessageError("it is too large for a meeting: use a smaller region", at: path)
    }
  }

  /// Prepared for repeated queries.
  var region: PlaceRegion { PlaceRegion(perimeter, around: centre) }

  /// The areas in which a meeting for everybody is published.
  public var areas: [TopicArea] { TopicArea.covering(region.box) ?? [] }

  // MARK: JSON: a circle, or polygons as GeoJSON writes them (RFC 7946, section 3.1.7)

  init(_ reader: MessageReader) throws(MessageError) {
    guard reader.has("polygons") else {
      try self.init(
        around: try reader.position(), radius: Metres(try reader.number("radius_m")))
      return
    }
    var polygons: [PerimeterPolygon] = []
    for polygon in try reader.list("polygons") {
      var rings: [[Coordinate]] = []
      for ring in try Self.list(polygon) {
        var corners: [Coordinate] = []
        for corner in try Self.list(ring) { corners.append(try Self.corner(corner)) }
        rings.append(corners)
      }
      guard let outer = rings.first else { throw Self.malformed }
      polygons.append(PerimeterPolygon(outer: outer, holes: Array(rings.dropFirst())))
    }
    try self.init(polygons)
  }

  private static func list(_ value: JSONValue) throws(MessageError) -> [JSONValue] {
    guard let list = value.array else { throw malformed }
    return list
  }

  private static func corner(_ value: JSONValue) throws(MessageError) -> Coordinate {
    guard let pair = value.array, pair.count >= 2, let longitude = pair[0].number,
      let latitude = pair[1].number
    else { throw malformed }
    return Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude))
  }

  private static let malformed = MessageError(
    "they are not lists of rings of [longitude, latitude]: write them as in a MultiPolygon of "
      + "GeoJSON", at: "polygons")

  var writer: MessageWriter {
    var writer = MessageWriter()
    switch perimeter {
    case .circle(let radius):
      writer.add(centre)
      writer.add("radius_m", radius)
    case .polygons(let polygons):
      func json(_ ring: [Coordinate]) -> JSONValue {
        .array(
          ring.map { .array([.number($0.longitude.value), .number($0.latitude.value)]) })
      }
      writer.add(
        "polygons",
        json: .array(polygons.map { .array([json($0.outer)] + $0.holes.map(json)) }))
    }
    return writer
  }
}
