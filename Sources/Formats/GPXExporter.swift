import Notation
import Quantities
import Records

/// GPX 1.1: visits and destinations as waypoints, the track in one `<trk>` whose segments end at
/// gaps. What GPX has no element for stands in extensions, units in the names.
struct GPXExporter: XMLExporter {
  var xml = XMLWriter()
  private var names = PlaceNames()
  private var segmenter = TrackSegmenter()
  private var isInTrack = false

  init() {
    xml.raw(
      """
      <gpx version="1.1" creator="godwit" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:godwit="urn:godwit:gpx:1">

      """)
  }

  mutating func destination(_ destination: Destination) {
    names.add(destination)
    open("wpt", destination.position)
    xml.element("name", names.name(of: destination))
    xml.raw("<type>destination</type><extensions>")
    xml.element("godwit:radius_m", destination.radius.value, digits: 1)
    xml.element("godwit:visits", Double(destination.visits), digits: 0)
    xml.element("godwit:total_dwell_s", destination.totalDwell.value, digits: 0)
    xml.raw("</extensions></wpt>\n")
  }

  mutating func visit(_ visit: Visit) {
    open("wpt", visit.position)
    xml.element("time", visit.arrival.estimate)
    xml.element("name", names.name(of: visit))
    xml.raw("<type>visit</type><extensions>")
    xml.element("godwit:arrival_earliest", visit.arrival.earliest)
    xml.element("godwit:arrival_latest", visit.arrival.latest)
    if let departure = visit.departure {
      xml.element("godwit:departure", departure.estimate)
      xml.element("godwit:departure_earliest", departure.earliest)
      xml.element("godwit:departure_latest", departure.latest)
    }
    xml.element("godwit:accuracy_m", visit.accuracy.value, digits: 1)
    xml.element("godwit:confidence", visit.confidence, digits: 3)
    xml.raw("</extensions></wpt>\n")
  }

  mutating func point(_ point: TrackPoint) {
    if !isInTrack { xml.raw("<trk>\n") }
    if segmenter.advance(to: point.location) {
      xml.raw(isInTrack ? "</trkseg>\n<trkseg>\n" : "<trkseg>\n")
    }
    isInTrack = true
    let location = point.location
    open("trkpt", location.position)
    // The schema has decimals without an exponent; nobody is that high.
    if let altitude = location.altitude, altitude.value.magnitude < FixedDecimal.limit {
      xml.element("ele", altitude.value, digits: 2)
    }
    xml.element("time", location.time)
    xml.raw("<extensions>")
    xml.element("godwit:accuracy_m", location.accuracy.value, digits: 2)
    if let speed = location.speed { xml.element("godwit:speed_m_s", speed.value, digits: 2) }
    xml.raw("</extensions></trkpt>\n")
  }

  mutating func finish() {
    if isInTrack { xml.raw("</trkseg>\n</trk>\n") }
    xml.raw("</gpx>\n")
  }

  private mutating func open(_ name: StaticString, _ position: Coordinate) {
    xml.raw("<")
    xml.raw(name)
    xml.raw(" lat=\"")
    xml.number(position.latitude.value, digits: 7)
    xml.raw("\" lon=\"")
    // The schema has the antimeridian only as -180.
    let longitude = position.longitude.value
    xml.number(longitude > 179.999_999_95 ? -180 : longitude, digits: 7)
    xml.raw("\">")
  }
}
