import Records
import Core
import Formats
import Places
import Testing

/// Contents in files: in the old format, and with all that they may have now.
@Suite struct ContentFileTests {
  private static func file(_ contents: String, id: String = "00000000-0000-0000-0000-000000000001")
    -> String
  {
    """
    {"type":"FeatureCollection","features":[{"type":"Feature","id":"\(id)",
    "geometry":{"type":"Point","coordinates":[5,52]},
    "properties":{"name":"Bakery","radius_m":50,"contents":\(contents)}}]}
    """
  }

  private static func read(_ contents: String) -> PlaceFileRun {
    PlaceFileRun(file(contents), as: .geojson)
  }

  @Test("every part of a content is read and written again") func whole() throws {
    let run = Self.read(
      """
      [{"id":"0B0E3C2A-6F0E-4C0F-9C57-2A1D1D7A1F11","title":"Rolls","type":"sale",
      "media_type":"text/plain","text":"Fresh","uri":"https://example.org/",
      "start":"2026-05-04T08:00:00Z","end":"2026-05-04T10:00:00+02:00","venue":"At the door"}]
      """)
    #expect(run.errors.isEmpty && run.notices.isEmpty)
    let content = try #require(run.places.first?.contents.first)
    #expect(content.id == UniqueID("0b0e3c2a-6f0e-4c0f-9c57-2a1d1d7a1f11"))
    #expect(content.title == "Rolls" && content.type == "sale")
    let start = try #require(ISO8601.parse("2026-05-04T08:00:00Z"))
    #expect(content.happening == .init(from: start, until: start, venue: "At the door"))
    for format in [PlaceFileFormat.geojson, .kml, .gpx] {
      let again = PlaceFileRun(PlaceFileRun.text(run.places, as: format), as: format)
      #expect(again.places.map(\.contents) == run.places.map(\.contents), "\(format)")
    }
  }

  @Test("a text without a type is plain") func plainText() {
    let run = Self.read(#"[{"title":"Lunch","type":"food","text":"Soup"}]"#)
    #expect(run.errors.isEmpty && run.notices.isEmpty, "\(run)")
    #expect(run.places.first?.contents.first?.mediaType == "text/plain")
  }

  @Test("a file in the old format gives the same ids each time, and keeps them when written")
  func before() throws {
    let old = #"[{"media_type":"text/plain","text":"a"},{"media_type":"text/plain","text":"a"}]"#
    let first = Self.read(old)
    #expect(first.errors.isEmpty && first.notices.isEmpty)
    #expect(first == Self.read(old))
    #expect(Set(first.places.flatMap(\.items).map(\.id)).count == 2)
    let written = PlaceFileRun(PlaceFileRun.text(first.places, as: .geojson), as: .geojson)
    #expect(written.places == first.places)
    // A row in the old format has no ids either.
    guard case .circle(var row) = PlaceRow(try #require(first.places.first)) else {
      Issue.record("no circle")
      return
    }
    row.place.contents = old
    #expect(PlaceRow.circle(row).entry(PlaceFileRun.defaults).place == first.places.first)
  }

  @Test("an id that is not a UUID is reported and not kept") func foreignID() {
    let run = Self.read(#"[{"id":"seven","media_type":"text/plain","text":"a"}]"#)
    #expect(run.errors.isEmpty && run.places.first?.items.count == 1)
    #expect(run.notices == [#"contents[0].id is "seven", not a UUID: it gets a new one"#])
  }

  struct Faulty: Sendable {
    let content: String
    let path: String
  }

  static let faults = [
    Faulty(content: #""start":"soon","end":"2026-05-04T08:00:00Z""#, path: "contents[1].start"),
    Faulty(content: #""start":"2026-05-04T08:00:00Z""#, path: "contents[1].end"),
    Faulty(content: #""end":"2026-05-04T08:00:00Z""#, path: "contents[1].start"),
    Faulty(content: #""venue":"here""#, path: "contents[1].start"),
    Faulty(
      content: #""start":"2026-05-04T08:00:01Z","end":"2026-05-04T08:00:00Z""#,
      path: "contents[1].end"),
    Faulty(content: #""type":["a"]"#, path: "contents[1].type"),
    Faulty(content: #""title":"a\nb""#, path: "contents[1].title"),
  ]

  @Test("an error is named with its path", arguments: faults)
  func fault(_ faulty: Faulty) {
    let run = Self.read(
      #"[{"media_type":"a/b","text":"a"},{"media_type":"a/b","text":"b",\#(faulty.content)}]"#)
    #expect(run.places.isEmpty)
    #expect(run.errors.first?.contains(": \(faulty.path): ") == true, "\(run.errors)")
  }

  @Test("contents beyond the limits are refused with advice") func tooMuch() {
    let text = String(repeating: "x", count: PlaceLimits.inlineText + 1)
    let long = Self.read(#"[{"media_type":"text/plain","text":"\#(text)"}]"#)
    #expect(
      long.errors.first?.contains(
        "contents[0].text: 65537 bytes: shorten it to at most 65536") == true, "\(long.errors)")
    let one = #"{"media_type":"text/plain","text":"a"}"#
    let many = Self.read("[" + Array(repeating: one, count: 51).joined(separator: ",") + "]")
    #expect(
      many.errors.first?.contains("contents: 51 contents: keep at most 50") == true,
      "\(many.errors)")
  }
}
