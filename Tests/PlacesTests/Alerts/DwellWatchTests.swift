import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Stays: when they begin, what ends them, and what confirms them.
@Suite struct DwellWatchTests {
  private static let home = AlertBench.place("home")
  private static let stay = Alert(id: 1, name: "stay", .dwell(.all, 600))

  /// At home since 100 s.
  private static func atHome(_ alert: Alert = stay) -> AlertBench {
    var bench = AlertBench([home], [alert])
    bench.locate(900, at: 10)
    bench.locate(0, at: 100)
    return bench
  }

  @Test("a stay counts from the arrival, or from the first location inside")
  func begins() throws {
    var bench = AlertBench([Self.home], [Self.stay])
    bench.locate(0, at: 100)
    #expect(try #require(bench.wake).seconds == 700)
    bench.locate(0, at: 699)
    #expect(bench.told == [])
    bench.locate(0, at: 700)
    #expect(bench.told == ["dwell: home"])
    #expect(bench.raised[0].text == "at home for 10 min")
    bench.locate(0, at: 5000)
    #expect(bench.told.count == 1)
  }

  @Test("a due stay waits after a first location outside, which may be a departure") func leaving()
    throws
  {
    var bench = Self.atHome()
    bench.locate(200, at: 705)
    #expect(bench.told == [] && bench.looks[.deadlines] != nil)
    bench.locate(230, at: 735)
    bench.locate(260, at: 765)
    #expect(bench.crossings.map(\.change.to) == [.inside, .outside])
    bench.locate(0, at: 1000)
    #expect(bench.told == [] && bench.looks[.deadlines] == nil)
  }

  @Test("one location outside, refuted by the next, does not end a stay") func refuted() {
    var bench = Self.atHome()
    bench.locate(200, at: 705)
    bench.locate(0, at: 735)
    #expect(bench.told == ["dwell: home"])
  }

  @Test("without new locations a stay is reported after the timeout, and a fix is requested")
  func silence() throws {
    var bench = Self.atHome()
    bench.step(.timePassed, at: 700)
    let look = try #require(bench.looks[.deadlines])
    #expect(look.at.seconds == 700 && look.accuracy == 50)
    let changes = bench.lookChanges
    for second in 701..<1000 { bench.step(.timePassed, at: Double(second)) }
    #expect(bench.lookChanges == changes && bench.told == [])
    #expect(try #require(bench.wake).seconds == 1000)
    bench.step(.timePassed, at: 1000)
    #expect(bench.told == ["dwell: home"] && bench.looks[.deadlines] == nil)
    #expect(bench.wake == nil)
  }

  @Test("at rest a stay is reported at once, but not by a location from before the rest")
  func rest() {
    var bench = Self.atHome()
    bench.rest(at: 60)
    bench.step(.timePassed, at: 700)
    #expect(bench.told == ["dwell: home"])
    var other = Self.atHome()
    other.rest(at: 300)
    other.step(.timePassed, at: 700)
    #expect(other.told == [] && other.looks[.deadlines] != nil)
  }

  @Test("a place removed or no longer selected leaves neither a stay nor a fix request")
  func edited() throws {
    var details = Self.home.details
    details.tags = ["own"]
    let own = try Self.home.changed(to: details)
    for places in [[], [Self.home]] {
      var bench = AlertBench([own], [Alert(id: 1, name: "stay", .dwell(.tagged("own"), 600))])
      bench.locate(0, at: 100)
      bench.places = places
      bench.step(.places(.edited), at: 200)
      bench.step(.timePassed, at: 900)
      #expect(bench.looks[.deadlines] == nil && bench.wake == nil)
      bench.locate(0, at: 1000)
      #expect(bench.told == [])
    }
  }

  @Test("a newly selected place has its stay from now on") func tagged() throws {
    var details = Self.home.details
    details.tags = ["own"]
    var bench = AlertBench([Self.home], [Alert(id: 1, name: "stay", .dwell(.tagged("own"), 600))])
    bench.locate(0, at: 100)
    bench.places = [try Self.home.changed(to: details)]
    bench.step(.places(.edited), at: 1000)
    bench.locate(0, at: 1500)
    #expect(bench.told == [])
    bench.locate(0, at: 1600)
    #expect(bench.told == ["dwell: home"])
  }

  @Test("an alert that was changed meanwhile begins anew") func otherMeanwhile() {
    var bench = Self.atHome()
    bench.step(.alerts([Alert(id: 1, name: "stay", .enter(.all))]), at: 200)
    bench.stand(900, from: 300)
    bench.step(.alerts([Self.stay]), at: 600)
    bench.step(.timePassed, at: 1500)
    #expect(bench.looks[.deadlines] == nil && bench.told == [])
    bench.stand(0, from: 2000)
    bench.locate(0, at: 2600)
    #expect(bench.told == ["dwell: home"])
  }

  @Test("after a restart somewhere else nothing is due") func restartElsewhere() {
    let bench = Self.atHome()
    var next = AlertBench([Self.home], [Self.stay], restoring: bench.engine.snapshot)
    next.locate(200, at: 5000)
    next.locate(200, at: 5030)
    next.locate(200, at: 5060)
    #expect(next.told == [])
    next.step(.timePassed, at: 9000)
    #expect(next.told == [] && next.looks[.deadlines] == nil)
  }

  @Test("a date years ahead that is set back delays a stay, and blocks none for ever")
  func dateAhead() {
    var bench = AlertBench([Self.home], [Self.stay], date: AlertBench.date + .days(7000))
    bench.locate(0, at: 100)
    bench.dateAtStart = AlertBench.date
    bench.locate(0, at: 200)
    bench.locate(0, at: 800)
    #expect(bench.told == ["dwell: home"])
  }
}
