import Core
import Records

/// GPX 1.1: one waypoint for each place, with all visits to it in its description, and the track in
/// one `<trk>` whose segments end at gaps. Data without an element in GPX are in extensions, with
/// units in the names.
struct GPXExporter: XMLExporter {
  var xml = XMLWriter()
  private let summary: ExportSummary
  private let device: String?
  private var names = PlaceNames()
  /// Kept until all visits are known: they are written with their places, and places before the
  /// track.
  private var places: [Place] = []
  private var placeOfDestination: [Int64: Int] = [:]
  private var segmenter = TrackSegmenter()
  private var isInTrack = false

  /// The content of one waypoint: a destination with its visits, or a visit without a destination.
  private struct Place {
    let destination: Destination?
    var visits: [Visit]
  }

  init(_ summary: ExportSummary, device: String? = nil) {
    self.summary = summary
    self.device = device
    xml.raw(
      """
      <gpx version="1.1" creator="godwit" xmlns="http://www.topografix.com/GPX/1/1" \
      xmlns:godwit="urn:godwit:gpx:1">

      """)
    writeMetadata()
  }

  private mutating func writeMetadata() {
    xml.raw("<metadata>")
    let name = summary.trackName ?? "Godwit"
    xml.element("name", device.map { "\($0): \(name)" } ?? name)
    xml.element("desc", summary.text)
    // Not the time of writing: the same store gives the same file.
    if let newest = summary.newest { xml.element("time", newest) }
    if let bounds = summary.bounds {
      xml.raw("<bounds")
      xml.attribute("minlat", bounds.south.value, digits: 7)
      xml.attribute("minlon", Self.longitude(bounds.west).value, digits: 7)
      xml.attribute("maxlat", bounds.north.value, digits: 7)
      // The schema allows the antimeridian only as -180, which would be the other side of the box.
      xml.attribute("maxlon", min(bounds.east, 179.999_999_9).value, digits: 7)
      xml.raw("/>")
    }
    xml.raw("</metadata>\n")
  }

  mutating func destination(_ destination: Destination) {
    names.add(destination)
    placeOfDestination[destination.id] = places.count
    places.append(Place(destination: destination, visits: []))
  }

  mutating func visit(_ visit: Visit) {
    if let index = visit.destination.flatMap({ placeOfDestination[$0] }) {
      places[index].visits.append(visit)
    } else {
      places.append(Place(destination: nil, visits: [visit]))
    }
  }

  private mutating func writePlaces() {
    for place in places { write(place) }
    places = []
  }

  private mutating func write(_ place: Place) {
    let first = place.visits.first
    guard let position = place.destination?.position ?? first?.position else { return }
    open("wpt", position)
    // No time: exiftool would treat it as a fix, and place photographs by it.
    if let destination = place.destination {
      xml.element("name", names.name(of: destination))
    } else if let first {
      xml.element("name", names.name(of: first))
    }
    if !place.visits.isEmpty {
      xml.element("desc", place.visits.map(VisitDescription.text).joined(separator: "\n"))
    }
    xml.raw(place.destination == nil ? "<type>visit</type>" : "<type>destination</type>")
    xml.raw("<extensions>")
    if let destination = place.destination {
      write(Destination.columns.details(of: destination))
    }
    for visit in place.visits {
      xml.raw("<godwit:visit>")
      write(Visit.columns.details(of: visit))
      xml.raw("</godwit:visit>")
    }
    xml.raw("</extensions></wpt>\n")
  }

  private mutating func write(_ details: [(key: StaticString, text: String)]) {
    for (key, text) in details {
      xml.raw("<godwit:")
      xml.raw(key)
      xml.raw(">")
      xml.text(text)
      xml.raw("</godwit:")
      xml.raw(key)
      xml.raw(">")
    }
  }

  mutating func point(_ point: TrackPoint) {
    if !isInTrack {
      writePlaces()
      xml.raw("<trk>")
      xml.element("name", summary.trackName ?? "Track")
      if summary.points > 0 { xml.element("desc", summary.trackText) }
      xml.raw("\n")
    }
    if segmenter.advance(to: point.location) {
      xml.raw(isInTrack ? "</trkseg>\n<trkseg>\n" : "<trkseg>\n")
    }
    isInTrack = true
    let location = point.location
    open("trkpt", location.position)
    // The schema requires decimals without an exponent; no altitude is that high.
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
    writePlaces()
    if isInTrack { xml.raw("</trkseg>\n</trk>\n") }
    xml.raw("</gpx>\n")
  }

  private mutating func open(_ name: StaticString, _ position: Coordinate) {
    xml.raw("<")
    xml.raw(name)
    xml.attribute("lat", position.latitude.value, digits: 7)
    xml.attribute("lon", Self.longitude(position.longitude).value, digits: 7)
    xml.raw(">")
  }

  /// The schema allows the antimeridian only as -180.
  private static func longitude(_ longitude: Degrees) -> Degrees {
    longitude > 179.999_999_95 ? -180 : longitude
  }
}
