import Core
import Records
import TestSupport
import Testing

@testable import Places

/// A deadline for being at a place: 21:00, which is 2000 s after the start.
@Suite struct DeadlineWatchTests {
  private static let home = AlertBench.place("home")
  private static let due = 2000.0

  private static func alert(
    back: Bool = false, _ places: PlaceSelection = .named("home"), at time: String = "2100"
  ) throws -> Alert {
    Alert(
      id: 1, name: "late", back ? .notBackBy(places) : .notThereBy(places),
      schedule: try AlertBench.daily(time), resendPause: 0)
  }

  @Test("the distance of an area counts from its edge") func area() throws {
    let corners = [0.0, 90, 180, 270, 0].map { bearing in
      AlertBench.position(600, bearing: Degrees(bearing))
    }
    let area = AlertBench.place("home") {
      $0.perimeter = .polygons([PerimeterPolygon(outer: corners)])
    }
    var bench = AlertBench([area], [try Self.alert()])
    bench.stand(1600, from: 10)
    bench.step(.timePassed, at: Self.due)
    bench.locate(1600, at: Self.due + 10)
    #expect(bench.raised[0].text.hasPrefix("not at home: 1.0 km away, known"))
  }

  @Test("after an arrival one more location is awaited") func arriving() throws {
    var bench = AlertBench([Self.home], [try Self.alert()])
    bench.stand(900, from: 10)
    bench.step(.timePassed, at: Self.due)
    bench.locate(40, accuracy: 30, at: Self.due + 10)
    #expect(bench.told == [] && bench.crossings.isEmpty)
    bench.locate(5, accuracy: 10, at: Self.due + 20)
    #expect(bench.told == [] && bench.crossings.count == 1)
    #expect(bench.looks[.deadlines] == nil)
  }

  @Test("an inaccurate location does not decide, but the end of the timeout does")
  func coarse() throws {
    var bench = AlertBench([Self.home], [try Self.alert()])
    bench.stand(900, from: 10)
    bench.step(.timePassed, at: Self.due)
    for second in stride(from: 10.0, to: 300, by: 30) {
      bench.locate(120, accuracy: 300, at: Self.due + second)
      let look = try #require(bench.looks[.deadlines])
      #expect(look.at.seconds == Self.due + second, "the last one did not do")
    }
    #expect(bench.told == [])
    bench.step(.timePassed, at: Self.due + 300)
    #expect(bench.told == ["not-there-by: home"] && bench.looks[.deadlines] == nil)
    #expect(bench.raised[0].text.hasPrefix("not at home: 60 m away, known within 300 m"))
  }

  @Test("a location from before the board came to rest does not show where it rests")
  func restLater() throws {
    var bench = AlertBench([Self.home], [try Self.alert()])
    bench.stand(900, from: 10)
    bench.rest(at: 1500)
    bench.step(.timePassed, at: Self.due)
    #expect(bench.told == [] && bench.looks[.deadlines] != nil)
    bench.locate(0, at: Self.due + 30)
    #expect(bench.told == [])
  }

  @Test("no fix is requested while the board is known to rest somewhere else")
  func restElsewhere() throws {
    var bench = AlertBench([Self.home], [try Self.alert()])
    bench.rest(at: 5)
    bench.stand(900, from: 10)
    bench.step(.timePassed, at: Self.due)
    #expect(bench.told == ["not-there-by: home"] && bench.looks[.deadlines] == nil)
  }

  @Test("a board that was never located is reported at the end of the timeout")
  func nowhere() throws {
    var bench = AlertBench([Self.home], [try Self.alert()])
    bench.step(.timePassed, at: Self.due)
    bench.step(.places(.presence(.searchFailed)), at: Self.due + 60)
    #expect(bench.told == [])
    bench.step(.timePassed, at: Self.due + 300)
    #expect(bench.raised.map(\.text) == ["not at home: the board's position is unknown"])
  }

  @Test(
    "a deadline that could not be watched is reported for up to six hours",
    arguments: [21_000, 22_000])
  func late(seconds: Int) throws {
    let bench = AlertBench([Self.home], [try Self.alert()])
    var next = AlertBench(
      [Self.home], [try Self.alert()], restoring: bench.engine.snapshot,
      at: Self.due + Double(seconds))
    next.locate(900, at: Self.due + Double(seconds) + 10)
    #expect(next.told.count == (seconds == 21_000 ? 1 : 0))
  }

  @Test("after a restart at its place it is not missed before the store has returned the places")
  func restartThere() throws {
    let bench = AlertBench([Self.home], [try Self.alert()])
    var next = AlertBench(
      [Self.home], [try Self.alert()], restoring: bench.engine.snapshot, at: Self.due + 100)
    next.rest(at: Self.due + 105)
    next.locate(0, at: Self.due + 110)
    #expect(next.told == [] && next.looks[.deadlines] == nil)
  }

  @Test("an alert added after a deadline does not count that deadline") func tooLate() throws {
    var bench = AlertBench([Self.home], [])
    bench.stand(900, from: 10)
    bench.step(.alerts([try Self.alert()]), at: Self.due + 100)
    bench.locate(900, at: Self.due + 110)
    #expect(bench.told == [])
    bench.step(.timePassed, at: Self.due + 86_400 - 100)
    #expect(bench.told == [])
    #expect(try #require(bench.wake).seconds == Self.due + 86_400)
  }

  @Test("an edited schedule counts from now on, and so does another place") func edited() throws {
    var bench = AlertBench([Self.home], [try Self.alert(back: true)])
    bench.stand(0, from: 10)
    bench.stand(900, from: 300)
    // 20:26:40 is the start; 20:35 has passed by then.
    bench.step(.alerts([try Self.alert(back: true, at: "2035")]), at: 1000)
    bench.locate(900, at: 1010)
    #expect(bench.told == [])
    bench.step(.alerts([try Self.alert(back: true)]), at: 1020)
    bench.step(.timePassed, at: Self.due)
    bench.locate(900, at: Self.due + 10)
    #expect(bench.told.count == 1, "it has left home before")
    bench.step(.alerts([try Self.alert(back: true, .named("elsewhere"))]), at: 3000)
    bench.step(.timePassed, at: Self.due + 86_400)
    bench.locate(900, at: Self.due + 86_410)
    #expect(bench.told.count == 1, "it was never there")
  }

  @Test("a restart between a deadline and its decision does not lose it") func restartBetween()
    throws
  {
    var bench = AlertBench([Self.home], [try Self.alert()])
    bench.stand(900, from: 10)
    bench.step(.timePassed, at: Self.due)
    var next = AlertBench(
      [Self.home], [try Self.alert()], restoring: bench.engine.snapshot, at: Self.due + 100)
    next.locate(900, at: Self.due + 110)
    #expect(next.told == ["not-there-by: home"])
    var last = AlertBench(
      [Self.home], [try Self.alert()], restoring: next.engine.snapshot, at: Self.due + 200)
    last.locate(900, at: Self.due + 210)
    #expect(last.told == [], "it was told")
  }

  @Test("a date years ahead that is set back leaves no deadline undecided, and suppresses none")
  func dateAhead() throws {
    var bench = AlertBench([Self.home], [try Self.alert()], date: AlertBench.date + .days(7000))
    bench.stand(900, from: 10)
    bench.step(.timePassed, at: Self.due)
    #expect(bench.looks[.deadlines] != nil)
    bench.dateAtStart = AlertBench.date
    bench.step(.timePassed, at: Self.due - 500)
    #expect(bench.looks[.deadlines] == nil && bench.told == [])
    bench.step(.timePassed, at: Self.due)
    bench.locate(900, at: Self.due + 10)
    #expect(bench.told.count == 1)
  }

  @Test("any of several places suffices, and leaving one of them does not count") func several()
    throws
  {
    let shops = (2...3).map { number in
      AlertBench.place("shop \(number)", Metres(Double(number) * 500), seed: UInt64(number)) {
        $0.tags = ["shop"]
      }
    }
    var bench = AlertBench(shops, [try Self.alert(back: true, .tagged("shop"))])
    bench.stand(1000, from: 10)
    bench.stand(1500, from: 1000)
    bench.step(.timePassed, at: Self.due)
    bench.locate(1500, at: Self.due + 10)
    #expect(bench.told == [])
    bench.stand(5000, from: Self.due + 1000)
    bench.step(.timePassed, at: Self.due + 86_400)
    bench.locate(5000, at: Self.due + 86_410)
    #expect(bench.told == ["not-back-by: -"])
    #expect(bench.raised[0].text.hasPrefix("not back at any place with the tag shop: "))
  }
}
