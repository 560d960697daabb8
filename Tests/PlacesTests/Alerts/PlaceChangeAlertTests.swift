import Core
import Testing

@testable import Places

/// Alerts at changes of places.
@Suite struct PlaceChangeAlertTests {
  private static let meeting = AlertBench.place("Meeting") { $0.followers.names = ["rui"] }

  private static func edit(_ change: (inout PlaceDetails) -> Void) throws -> PlaceEdit {
    var details = meeting.details
    change(&details)
    return try #require(PlaceEdit(meeting, try meeting.changed(to: details)))
  }

  private static func alert(_ places: PlaceSelection, id: Int64 = 1) -> Alert {
    Alert(id: id, name: "news", .changed(places), resendPause: 0)
  }

  @Test("followers get a report each time, and no fix is requested for it")
  func followers() throws {
    var bench = AlertBench(
      [Self.meeting],
      [
        Self.alert(.followed(.all, by: Visitor("rui"))),
        Self.alert(.followed(.all, by: Visitor("eva")), id: 2),
      ])
    bench.locate(5000, at: 0)
    #expect(bench.looks[.places] == nil)
    bench.step(.placeEdited(try Self.edit { $0.name = "Party" }), at: 10)
    bench.step(.placeEdited(try Self.edit { $0.name = "Picnic" }), at: 11)
    #expect(
      bench.raised.map(\.text) == ["Meeting is called Party now", "Meeting is called Picnic now"])
    #expect(bench.raised.allSatisfy { $0.alert.id == 1 && $0.place != nil })
  }

  @Test("a change of a place followed until now is reported, and its removal")
  func until() throws {
    var bench = AlertBench([], [Self.alert(.named("Meeting"))])
    bench.step(.placeEdited(try Self.edit { $0.name = "Party" }), at: 0)
    bench.step(.placeEdited(try #require(PlaceEdit(Self.meeting, nil))), at: 1)
    #expect(bench.raised.map(\.text).last == "Meeting was removed")
    #expect(bench.raised.count == 2)
  }

  @Test("coming and going raise no such alert") func presence() {
    var bench = AlertBench([Self.meeting], [Self.alert(.all)])
    bench.locate(2000, at: 0)
    bench.stand(0, from: 100)
    #expect(bench.raised.isEmpty && bench.crossings.count == 1)
  }
}
