import Core
import Testing

@testable import Records

@Suite struct ContentCalendarTests {
  private static func talk() throws -> ContentItem {
    var item = ContentItem(
      id: try #require(UniqueID("0b0e3c2a-6f0e-4c0f-9c57-2a1d1d7a1f11")), title: "Career; talk, 1",
      type: "talk")
    item.text = "Bring a \\ and\na pen.\u{7}"
    item.uri = "https://example.org/talk"
    item.happening = ContentItem.Happening(
      from: UTCInstant(seconds: 1_764_072_000), until: UTCInstant(seconds: 1_764_075_600),
      venue: "LSB LT3")
    return item
  }

  @Test("an event, byte for byte") func event() throws {
    let text = try ContentCalendar.text(
      of: Self.talk(), at: UTCInstant(seconds: 1_764_000_000),
      position: Coordinate(latitude: 22.419, longitude: 114.2067))
    #expect(
      text == """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Godwit//Godwit//EN\r
        BEGIN:VEVENT\r
        UID:0b0e3c2a-6f0e-4c0f-9c57-2a1d1d7a1f11\r
        DTSTAMP:20251124T160000Z\r
        DTSTART:20251125T120000Z\r
        DTEND:20251125T130000Z\r
        SUMMARY:Career\\; talk\\, 1\r
        DESCRIPTION:Bring a \\\\ and\\na pen.\r
        LOCATION:LSB LT3\r
        GEO:22.419000;114.206700\r
        URL:https://example.org/talk\r
        CATEGORIES:talk\r
        END:VEVENT\r
        END:VCALENDAR\r

        """)
  }

  @Test("without a venue the event is at the place") func place() throws {
    var item = try Self.talk()
    let date = UTCInstant(seconds: 0)
    #expect(try ContentCalendar.text(of: item, at: date, place: "Hall").contains(":LSB LT3\r\n"))
    let happening = try #require(item.happening)
    item.happening = .init(from: happening.start, until: happening.end)
    let text = try ContentCalendar.text(of: item, at: date, place: "Hall; East")
    #expect(text.contains("LOCATION:Hall\\; East\r\n"))
  }

  @Test("long lines are folded between characters, and read again as they were") func folded()
    throws
  {
    var item = try Self.talk()
    item.title = String(repeating: "é😀x", count: 60)
    let text = try ContentCalendar.text(of: item, at: UTCInstant(seconds: 0))
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.utf8.count <= 75 })
    #expect(text.replacing("\r\n ", with: "").contains("SUMMARY:\(item.title)\r\n"))
  }

  @Test("a content without a time is not in a calendar") func timeless() throws {
    var item = try Self.talk()
    item.happening = nil
    #expect(throws: ContentRefusal.self) {
      try ContentCalendar.text(of: item, at: UTCInstant(seconds: 0))
    }
    #expect(
      ContentItem.Happening(from: UTCInstant(seconds: 2), until: UTCInstant(seconds: 1)) == nil)
  }
}
