import Core
import Records

/// A map as one SVG 1.1 file that needs nothing else, no tiles and no network: the track, coloured
/// by time, the destinations as circles of their radius, and the stays in a list below.
///
/// Everything is kept until the end, because the scale depends on all of it; for a very long track
/// a part of the points.
struct MapExporter: XMLExporter {
  /// About as wide as a phone, so that the text needs no zoom there.
  static let width = 440.0
  static let mapHeight = 480.0
  /// The lines above the map.
  private static let header = 56.0
  private static let margin = 60.0
  private static let lineHeight = 18.0
  /// More would be taller than a screen.
  private static let maxRows = 40
  private static let colours = 12
  /// Lines that a label may be moved down.
  private static let maxShift = 6

  var xml = XMLWriter()
  private let style = TableStyle.utc
  private let device: String?
  private var names = PlaceNames()
  private var places: [Destination] = []
  private var visits: [Visit] = []
  private var visitCount = 0
  private var track = ThinnedTrack()

  /// - Parameter device: the device of the track; nil: unknown.
  init(device: String? = nil) { self.device = device }

  mutating func destination(_ destination: Destination) {
    names.add(destination)
    places.append(destination)
  }

  mutating func visit(_ visit: Visit) {
    visitCount += 1
    if visits.count < Self.maxRows { visits.append(visit) }
  }

  mutating func point(_ point: TrackPoint) { track.add(point.location) }

  mutating func finish() {
    let points = track.points
    let frame = MapFrame(
      points.map(\.value.position) + places.map(\.position), width: Self.width,
      height: Self.mapHeight, margin: Self.margin)
    begin()
    if let frame {
      draw(points, frame)
      for place in places { circle(place, frame) }
      labels(frame)
      scaleBar(frame)
    }
    list()
    xml.raw("</svg>\n")
  }

  // MARK: Parts

  private var height: Double {
    let lines = visits.reduce(0) { $0 + 1 + self.lines(of: $1).count } + 2
    return Self.mapHeight + Self.lineHeight * Double(lines)
  }

  private mutating func begin() {
    xml.beginDrawing(width: Self.width, height: height, title: title, fits: false)
    xml.raw("\n<rect width=\"100%\" height=\"100%\" fill=\"#fbfbf8\"/>\n")
    text(name, x: 20, y: 26, markup: " font-size=\"16\" font-weight=\"bold\"")
    text(summary, x: 20, y: 46, markup: "")
  }

  private var name: String { device ?? "Godwit" }
  private var title: String { "\(name): \(summary)" }
  private var summary: String {
    let days = track.times.map { "\(style.minute($0.first)) to \(style.minute($0.last)) UTC" }
    return "\(days ?? "nothing stored"), \(Counted.text(visitCount, "stay"))"
  }

  /// Lines with one colour each, which share their end points.
  private mutating func draw(_ points: [ThinnedTrack.Point], _ frame: MapFrame) {
    guard let times = track.times else { return }
    var line: [MapFrame.Point] = []
    var colour = 0
    for one in points {
      let next = Self.colour(of: one.value.time, from: times.first, to: times.last)
      let point = frame.point(one.value.position)
      if one.beginsLine {
        polyline(line, colour)
        line = []
      } else if next != colour {
        polyline(line + [point], colour)
        line = []
      }
      colour = next
      line.append(point)
    }
    polyline(line, colour)
  }

  private static func colour(of time: UTCInstant, from first: UTCInstant, to last: UTCInstant)
    -> Int
  {
    let share = (time - first).value / max(1, (last - first).value)
    return max(0, min(colours - 1, Int(share * Double(colours))))
  }

  private mutating func polyline(_ line: [MapFrame.Point], _ colour: Int) {
    guard let only = line.first else { return }
    if line.count == 1 {
      xml.raw("<circle r=\"2\"")
      xml.attribute("cx", only.x, digits: 1)
      xml.attribute("cy", only.y, digits: 1)
      xml.raw(" fill=\"")
    } else {
      xml.raw("<polyline fill=\"none\" stroke-width=\"2.5\" stroke-linejoin=\"round\" points=\"")
      for point in line {
        xml.number(point.x, digits: 1)
        xml.raw(",")
        xml.number(point.y, digits: 1)
        xml.raw(" ")
      }
      xml.raw("\" stroke=\"")
    }
    // From blue over violet to red.
    xml.text("hsl(\(220 + colour * 140 / Self.colours),75%,48%)")
    xml.raw("\"/>\n")
  }

  private mutating func circle(_ place: Destination, _ frame: MapFrame) {
    let at = frame.point(place.position)
    xml.raw("<circle fill=\"#f0a030\" fill-opacity=\"0.35\" stroke=\"#a05a00\"")
    xml.attribute("cx", at.x, digits: 1)
    xml.attribute("cy", at.y, digits: 1)
    xml.attribute("r", max(6, min(60, frame.pixels(place.radius))), digits: 1)
    xml.raw(">")
    xml.element(
      "title",
      "\(names.name(of: place)): \(Counted.text(place.visits, "visit")), "
        + "\(place.totalDwell.inWords)")
    xml.raw("</circle>\n")
  }

  /// Beside their circles, and below each other if these are close. A label without room is
  /// omitted: the circle remains.
  private mutating func labels(_ frame: MapFrame) {
    var taken: [MapFrame.Point] = []
    let placed = places.map { (place: $0, at: frame.point($0.position)) }
    for (place, at) in placed.sorted(by: { $0.at.y < $1.at.y }) {
      let x = min(at.x + 10, Self.width - 100)
      guard let y = Self.room(below: at.y + 4, at: x, beside: taken) else { continue }
      taken.append(MapFrame.Point(x: x, y: y))
      text(names.name(of: place), x: x, y: y, markup: " font-weight=\"bold\"")
    }
  }

  private static func room(
    below start: Double, at x: Double, beside taken: [MapFrame.Point]
  ) -> Double? {
    for line in 0..<maxShift {
      let y: Double = start + Double(line) * 15
      let isTaken = taken.contains { abs($0.x - x) < 100 && abs($0.y - y) < 15 }
      if !isTaken, y > header, y < mapHeight - 25 { return y }
    }
    return nil
  }

  private mutating func scaleBar(_ frame: MapFrame) {
    let metres = frame.roundLength(about: 80)
    let length = frame.pixels(metres)
    let y = Self.mapHeight - 14
    xml.raw("<path fill=\"none\" stroke=\"#333\" stroke-width=\"2\" d=\"M20 ")
    xml.number(y - 5, digits: 1)
    xml.raw("v5h")
    xml.number(length, digits: 1)
    xml.raw("v-5\"/>\n")
    let label =
      metres < 1000
      ? "\(FixedDecimal.text(metres.value, digits: 0)) m"
      : "\(FixedDecimal.text(metres.value / 1000, digits: 0)) km"
    text(label + "; the track changes from blue to red", x: 28 + length, y: y + 2, markup: "")
  }

  private mutating func list() {
    var y = Self.mapHeight + Self.lineHeight
    func next() -> Double {
      defer { y += Self.lineHeight }
      return y
    }
    for visit in visits {
      text(names.name(of: visit), x: 20, y: next(), markup: " font-weight=\"bold\"")
      for line in lines(of: visit) { text(line, x: 34, y: next(), markup: "") }
    }
    guard visitCount > visits.count else { return }
    text("and \(visitCount - visits.count) more", x: 20, y: next(), markup: "")
  }

  private func lines(of visit: Visit) -> [String] {
    let left = visit.departure.map { "left \(BoundedTime($0).phrase(style))" }
    return [
      "arrived \(BoundedTime(visit.arrival).phrase(style))", left ?? style.stillThere,
    ] + (visit.gap.map { [BoundedTime.gap($0, of: visit, style)] } ?? [])
  }

  private mutating func text(_ text: String, x: Double, y: Double, markup: StaticString) {
    xml.raw("<text")
    xml.attribute("x", x, digits: 1)
    xml.attribute("y", y, digits: 1)
    xml.raw(markup)
    xml.raw(">")
    xml.text(text)
    xml.raw("</text>\n")
  }
}
