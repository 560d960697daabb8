import Core
import Records
import Testing

@testable import Tracking

@Suite struct DestinationListRenumberingTests {
  private static func visit(_ id: Int64) -> Visit {
    let time = TimeEstimate(exactly: UTCInstant(seconds: 1_780_000_000))
    return Visit(
      id: id, arrival: time, departure: time, position: Coordinate(latitude: 53, longitude: 6),
      accuracy: 5, confidence: 0.9, locations: 4)
  }

  @Test("a visit that continues after it ended still belongs to its destination")
  func theBookGoesOn() throws {
    var book = DestinationList()
    let before = book.add(Self.visit(1))
    book.renumber(by: try #require(Renumbering(aboveVisit: 10, destination: 20, session: 0)))
    #expect(book.destinations.map(\.id) == [before.id + 20] && book.lastID == before.id + 20)
    // The same visit again, with its new id: counted once.
    #expect(book.add(Self.visit(11)).visits == 1)
    #expect(book.destinations.count == 1)
  }
}
