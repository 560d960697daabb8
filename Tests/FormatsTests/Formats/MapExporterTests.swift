import Foundation
import Core
import Records
import TestSupport
import Testing

@testable import Formats

/// The self-contained map.
@Suite struct MapExporterTests {
  private static func map(
    _ places: [Destination] = ExportSamples.destinations,
    _ visits: [Visit] = ExportSamples.visits, _ points: [TrackPoint] = ExportSamples.points
  ) -> String {
    var exporter = ExportFormat.svg.exporter(ExportDetails(device: "stork-7"))
    for place in places { exporter.destination(place) }
    for visit in visits { exporter.visit(visit) }
    for point in points { exporter.point(point) }
    exporter.finish()
    return String(decoding: exporter.output, as: UTF8.self)
  }

  /// The numeric values of an attribute.
  private static func numbers(_ map: String, _ attribute: String) -> [Double] {
    map.components(separatedBy: " \(attribute)=\"").dropFirst().compactMap {
      $0.split(separator: "\"").first.flatMap { Double($0) }
    }
  }

  @Test("it is an SVG file with the track, the places and the stays, including hostile names")
  func contents() throws {
    let map = Self.map()
    let scratch = try ScratchFolder()
    let file = scratch.file("map.svg")
    try Data(map.utf8).write(to: URL(fileURLWithPath: file))
    #expect(try run("xmllint", "--noout", file).status == 0)
    #expect(map.contains("<title>stork-7: 2026-05-01 00:00 to 2026-05-02 01:00 UTC, 2 stays"))
    #expect(map.contains("Café &lt;&quot;A&amp;B&quot;&gt; 北"))
    #expect(map.contains("<polyline"))
    #expect(map.contains("still there"))
    #expect(!map.contains("http://") || map.contains("http://www.w3.org/2000/svg"))
  }

  @Test("everything is within the page, also over the antimeridian and at a pole")
  func onThePaper() {
    let wide: [(Double, Double)] = [(52, 179.99), (52.01, -179.99), (52.02, -179.97)]
    let polar: [(Double, Double)] = [(89.99, 0), (89.995, 170), (89.99, -90)]
    for places in [wide, polar, [(0, 0)]] {
      let points = places.enumerated().map {
        ExportSamples.point(Double($0.offset) * 60, $0.element.0, $0.element.1)
      }
      let map = Self.map([], [], points)
      for x in Self.numbers(map, "cx") { #expect((0...MapExporter.width).contains(x)) }
      let lines = map.components(separatedBy: "points=\"").dropFirst()
      for pair in lines.flatMap({ $0.prefix { $0 != "\"" }.split(separator: " ") }) {
        let numbers = pair.split(separator: ",").compactMap { Double($0) }
        #expect(numbers.count == 2)
        #expect((0...MapExporter.width).contains(numbers[0]), "\(pair)")
        #expect((0...MapExporter.mapHeight).contains(numbers[1]), "\(pair)")
      }
    }
  }

  @Test("an empty store gives an empty map") func empty() {
    let map = Self.map([], [], [])
    #expect(map.contains("nothing stored, 0 stays") && map.hasSuffix("</svg>\n"))
  }

  @Test("a track of any length makes a file of bounded size") func bounded() {
    let points = (0..<200_001).map {
      ExportSamples.point(Double($0), 52 + Double($0 % 100) * 1e-4, 5 + Double($0) * 1e-6)
    }
    let map = Self.map([], [], points)
    #expect(map.utf8.count < 1_000_000)
    let many = (0..<100).map { id in
      Visit(
        id: id, arrival: TimeEstimate(exactly: ExportSamples.start),
        position: ExportSamples.position(52, 5), accuracy: 3, confidence: 1, locations: 9)
    }
    #expect(Self.map([], many, []).contains(">and 60 more<"))
  }

  @Test("labels stay on the map, however many there are") func labels() {
    let places = (0..<3000).map { id in
      Destination(
        id: Int64(id), position: ExportSamples.position(52 + Double(id % 50) * 1e-4, 5),
        radius: 5, visits: 1, totalDwell: 60)
    }
    let map = Self.map(places, [], [])
    let names = map.split(separator: "\n").filter {
      $0.hasPrefix("<text") && $0.contains(">Destination ")
    }
    #expect((2..<400).contains(names.count), "\(names.count)")
    for y in names.flatMap({ Self.numbers(String($0), "y") }) {
      #expect((0...MapExporter.mapHeight).contains(y))
    }
  }

  @Test(
    "the scale bar is a round length",
    arguments: [(0.5, 200), (0.01, 10_000), (2, 50), (1e-4, 1e6)])
  func scale(pixelsPerMetre: Double, metres: Double) {
    let span = Degrees(860 / pixelsPerMetre / 111_195)
    let frame = MapFrame(
      [
        Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: 0, longitude: span),
      ], width: 960, height: 600, margin: 50)
    #expect(frame?.roundLength(about: 120) == Metres(metres))
  }
}
