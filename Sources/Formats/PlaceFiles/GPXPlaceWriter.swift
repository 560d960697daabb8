import Core
import Places

/// Places as the waypoints of GPX 1.1: a point with a name, and the rest in extensions, which this
/// program and GDAL read. GPX has no polygons.
struct GPXPlaceWriter: PlaceWriter {
  private var xml = XMLWriter()

  var output: [UInt8] {
    get { xml.bytes }
    set { xml.bytes = newValue }
  }

  init() {
    xml.raw(
      """
      <gpx version="1.1" creator="godwit" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:godwit="urn:godwit:gpx:1">

      """)
  }

  mutating func place(_ place: Place) -> [String] {
    guard case .fixed(let location) = place.location else {
      return ["it is left out: GPX has no waypoints that follow a device"]
    }
    switch place.perimeter {
    case .circle(let radius):
      write(place, at: location, radius)
      return []
    case .polygons(let polygons):
      let circle = PolygonCircle.around(polygons, from: location)
      write(place, at: circle.centre, Metres(circle.radius.value.rounded(.up)))
      return ["its polygon becomes a circle around it"]
    }
  }

  /// In the order of the schema's wptType.
  private mutating func write(_ place: Place, at centre: Coordinate, _ radius: Metres) {
    xml.raw("<wpt")
    xml.attribute("lat", centre.latitude.value, digits: 9)
    // The schema allows the antimeridian only as -180.
    let isLast = centre.longitude > 179.999_999_999_5
    xml.attribute("lon", isLast ? -180 : centre.longitude.value, digits: 9)
    xml.raw(">")
    xml.element("name", place.name)
    if !place.description.isEmpty { xml.element("desc", place.description) }
    for content in place.contents { link(content) }
    if let tag = place.tags.first { xml.element("type", tag) }
    xml.raw("<extensions>")
    let members: [PlaceMembers.Member] =
      [("id", .string(place.id.description)), ("radius_m", .number(radius.value))]
      + PlaceMembers.lifetime(of: place) + PlaceMembers.rest(of: place)
    for member in members {
      xml.raw("<godwit:")
      xml.raw(member.name)
      xml.raw(">")
      xml.text(PlaceMembers.text(member))
      xml.raw("</godwit:")
      xml.raw(member.name)
      xml.raw(">")
    }
    xml.raw("</extensions></wpt>\n")
  }

  private mutating func link(_ content: PlaceContent) {
    guard let uri = content.uri else { return }
    xml.raw("<link href=\"")
    xml.text(uri)
    xml.raw("\">")
    if let text = content.text { xml.element("text", text) }
    xml.element("type", content.mediaType)
    xml.raw("</link>")
  }

  mutating func finish() { xml.raw("</gpx>\n") }
}
