import Core
import Testing

@testable import Places

/// Reports about a place that was changed.
@Suite struct PlaceEditTests {
  private static let before = Drawing.details { $0.perimeter = .circle(radius: 50) }

  private static func place(_ change: (inout PlaceDetails) -> Void = { _ in }) throws -> Place {
    var details = before
    change(&details)
    return try Place(id: Drawing.id(1), version: details == before ? 1 : 2, details)
  }

  private static let changes: [(String, @Sendable (inout PlaceDetails) -> Void)] = [
    (
      "School has moved 320 m to the north-east",
      {
        guard case .fixed(let at) = $0.location else { return }
        $0.location = .fixed(Sphere.destination(from: at, bearing: 45, distance: 320))
      }
    ),
    ("School is called Gym now", { $0.name = "Gym" }),
    (
      "School begins at 2026-06-01T00:00:00Z",
      { $0.lifetime.from = UTCInstant(seconds: 1_780_272_000) }
    ),
    (
      "School has other hours, has other contents",
      {
        $0.schedule = PlaceSchedule(iCalendar: "DTSTART:20260601T090000")
        $0.contents = [PlaceContent(mediaType: "text/plain", text: "Closed")]
      }
    ),
    ("School was changed", { $0.tags = ["gym"] }),
  ]

  @Test("a report names the change", arguments: changes.indices) func words(index: Int) throws {
    let (text, change) = Self.changes[index]
    let edit = PlaceEdit(try Self.place(), try Self.place(change))
    #expect(edit?.text == text)
  }

  @Test("an ended and a removed place are reported") func ends() throws {
    let until = try Self.place { $0.lifetime.until = UTCInstant(seconds: 1_780_272_000) }
    #expect(PlaceEdit(until, try Self.place())?.text == "School ends at no set time")
    #expect(PlaceEdit(until, nil)?.text == "School was removed")
  }

  @Test("without a change there is no report") func nothing() throws {
    #expect(PlaceEdit(try Self.place(), try Self.place()) == nil)
    let other = try Place(id: Drawing.id(2), Self.before)
    #expect(PlaceEdit(try Self.place(), other) == nil)
  }

  @Test("a drawn perimeter is reported by its version, because the old drawing is unknown")
  func drawn() throws {
    let before = try Self.place()
    let square = Drawing.box(west: -8.61, south: 41.17, east: -8.6, north: 41.18)
    let drawing = Perimeter.polygons([PerimeterPolygon(outer: square, holes: [])])
    let after = try Self.place {
      $0.perimeter = drawing
      $0.location = .fixed(Drawing.at(41.175, -8.605))
    }
    #expect(PlaceEdit(before, after, isDrawn: true)?.text == "School was changed")
    let same = try Place(id: Drawing.id(1), version: 1, after.details)
    #expect(PlaceEdit(before, same, isDrawn: true) == nil)
  }
}
