import Core
import Places

/// Places as the placemarks of KML 2.2. Data without an element in KML are in ExtendedData, lists
/// and objects as JSON; only characters that are invalid in XML are lost.
struct KMLPlaceWriter: PlaceWriter {
  private var xml = XMLWriter()

  var output: [UInt8] {
    get { xml.bytes }
    set { xml.bytes = newValue }
  }

  init() {
    xml.raw(
      """
      <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document><name>Godwit</name>

      """)
  }

  /// In the order of the schema.
  mutating func place(_ place: Place) -> [String] {
    xml.raw("<Placemark>")
    xml.element("name", place.name)
    if !place.description.isEmpty { xml.element("description", place.description) }
    span(place.lifetime)
    xml.raw("<ExtendedData>")
    // Not as the element's id: that cannot begin with a digit (XML's ID).
    let id: PlaceMembers.Member = ("id", .string(place.id.description))
    for member in [id] + PlaceMembers.locationMembers(of: place) + PlaceMembers.rest(of: place) {
      xml.raw("<Data name=\"")
      xml.raw(member.name)
      xml.raw("\">")
      xml.element("value", PlaceMembers.text(member))
      xml.raw("</Data>")
    }
    xml.raw("</ExtendedData>")
    let isCrossing = geometry(of: place)
    xml.raw("</Placemark>\n")
    return isCrossing ? [PerimeterPolygon.crossingNotice] : []
  }

  mutating func finish() { xml.raw("</Document>\n</kml>\n") }

  private mutating func span(_ lifetime: PlaceLifetime) {
    guard lifetime != PlaceLifetime() else { return }
    xml.raw("<TimeSpan>")
    if let from = lifetime.from { xml.element("begin", PlaceMembers.time(from)) }
    if let until = lifetime.until { xml.element("end", PlaceMembers.time(until)) }
    xml.raw("</TimeSpan>")
  }

  /// - Returns: whether it crosses the antimeridian.
  private mutating func geometry(of place: Place) -> Bool {
    switch (place.perimeter, place.location) {
    case (.circle, .following): return false
    case (.circle, .fixed(let centre)):
      xml.raw("<Point>")
      coordinates([centre])
      xml.raw("</Point>")
      return false
    case (.polygons(let polygons), _):
      if polygons.count > 1 { xml.raw("<MultiGeometry>") }
      for polygon in polygons {
        xml.raw("<Polygon>")
        for (index, ring) in polygon.rightHanded.enumerated() {
          xml.raw(index == 0 ? "<outerBoundaryIs>" : "<innerBoundaryIs>")
          xml.raw("<LinearRing>")
          coordinates(ring)
          xml.raw("</LinearRing>")
          xml.raw(index == 0 ? "</outerBoundaryIs>" : "</innerBoundaryIs>")
        }
        xml.raw("</Polygon>")
      }
      if polygons.count > 1 { xml.raw("</MultiGeometry>") }
      return polygons.contains(where: \.crossesAntimeridian)
    }
  }

  /// With full precision.
  private mutating func coordinates(_ positions: [Coordinate]) {
    let tuples = positions.map { position in
      let longitude = JSONValue.number(position.longitude.value).text
      return longitude + "," + JSONValue.number(position.latitude.value).text
    }
    xml.element("coordinates", tuples.joined(separator: " "))
  }
}
