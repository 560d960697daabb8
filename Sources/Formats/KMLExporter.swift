import Core
import Records

/// KML 2.2: visits and destinations as points, with their times as text; each line of the track
/// with its time span.
struct KMLExporter: XMLExporter {
  var xml = XMLWriter()
  private var names = PlaceNames()
  private var segment = SegmentBuffer()

  init() {
    xml.raw(
      """
      <kml xmlns="http://www.opengis.net/kml/2.2">
      <Document><name>Godwit</name>

      """)
  }

  mutating func destination(_ destination: Destination) {
    names.add(destination)
    xml.raw("<Placemark>")
    xml.element("name", names.name(of: destination))
    xml.element(
      "description",
      "visits: \(destination.visits), in all \(destination.totalDwell.hoursAndMinutes)")
    xml.raw("<ExtendedData>")
    data("kind", "destination")
    for (key, text) in Destination.columns.details(of: destination) { data(key, text) }
    xml.raw("</ExtendedData>")
    point(destination.position)
    xml.raw("</Placemark>\n")
  }

  mutating func visit(_ visit: Visit) {
    xml.raw("<Placemark>")
    xml.element("name", names.name(of: visit))
    xml.element("description", VisitDescription.text(visit))
    span(visit.arrival.estimate, visit.departure?.estimate)
    xml.raw("<ExtendedData>")
    data("kind", "visit")
    for (key, text) in Visit.columns.details(of: visit) { data(key, text) }
    xml.raw("</ExtendedData>")
    point(visit.position)
    xml.raw("</Placemark>\n")
  }

  mutating func point(_ point: TrackPoint) {
    if let done = segment.add(point.location) { line(done) }
  }

  mutating func finish() {
    if let done = segment.finish() { line(done) }
    xml.raw("</Document>\n</kml>\n")
  }

  private mutating func line(_ locations: [Location]) {
    guard let first = locations.first, let last = locations.last else { return }
    xml.raw("<Placemark>")
    xml.element("name", "Track \(BoundedTime.range(first.time, last.time, .utc)) UTC")
    span(first.time, last.time)
    if locations.count == 1 {
      point(first.position)
    } else {
      xml.raw("<LineString><tessellate>1</tessellate><coordinates>\n")
      for location in locations {
        coordinates(location.position)
        xml.raw("\n")
      }
      xml.raw("</coordinates></LineString>")
    }
    xml.raw("</Placemark>\n")
  }

  private mutating func span(_ begin: UTCInstant, _ end: UTCInstant?) {
    xml.raw("<TimeSpan>")
    xml.element("begin", begin)
    if let end { xml.element("end", end) }
    xml.raw("</TimeSpan>")
  }

  private mutating func point(_ position: Coordinate) {
    xml.raw("<Point><coordinates>")
    coordinates(position)
    xml.raw("</coordinates></Point>")
  }

  private mutating func coordinates(_ position: Coordinate) {
    xml.number(position.longitude.value, digits: 7)
    xml.raw(",")
    xml.number(position.latitude.value, digits: 7)
  }

  private mutating func data(_ name: StaticString, _ text: String) {
    xml.raw("<Data name=\"")
    xml.raw(name)
    xml.raw("\">")
    xml.element("value", text)
    xml.raw("</Data>")
  }
}
