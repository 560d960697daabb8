import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Alerts at places: when they are raised, and when not.
@Suite struct AlertEngineTests {
  private static let home = AlertBench.place("home")

  private static func alert(
    _ rule: AlertRule, id: Int64 = 1, schedule: String? = nil, accuracy: Metres? = nil,
    isOnce: Bool = false, pause: Seconds = 0
  ) throws -> Alert {
    Alert(
      id: id, name: "a\(id)", rule,
      schedule: try schedule.map { try AlertBench.daily($0, minutes: 600) }, accuracy: accuracy,
      isOnce: isOnce, resendPause: pause)
  }

  @Test("a board first located inside has not entered; one from outside has, and then leaves")
  func enterAndLeave() throws {
    var bench = AlertBench(
      [Self.home], [try Self.alert(.enter(.all)), try Self.alert(.leave(.all), id: 2)])
    bench.locate(0, at: 10)
    #expect(bench.told == [] && bench.crossings.count == 1)
    bench.stand(900, from: 100)
    #expect(bench.told == ["leave: home"])
    bench.stand(0, from: 1000)
    #expect(bench.told == ["leave: home", "enter: home"] && bench.crossings.count == 3)
    #expect(bench.raised[1].text.hasPrefix("arrived at home: 60 m inside its edge"))
  }

  @Test("no signal, and a location of 300 m, do not count as leaving") func weakSignal() throws {
    var bench = AlertBench([Self.home], [try Self.alert(.leave(.all))])
    bench.stand(0, from: 10)
    for minute in 1...20 {
      bench.step(.places(.presence(.searchFailed)), at: Double(minute) * 60)
      bench.locate(250, accuracy: 300, at: Double(minute) * 60 + 30)
    }
    #expect(bench.told == [])
  }

  @Test("places with another tag or name raise nothing") func selection() throws {
    let shop = AlertBench.place("shop", 5000, seed: 2) { $0.tags = ["shop"] }
    var bench = AlertBench(
      [Self.home, shop],
      [try Self.alert(.enter(.tagged("shop"))), try Self.alert(.enter(.named("home")), id: 2)])
    bench.locate(2000, at: 10)
    bench.stand(5000, from: 600)
    bench.stand(0, from: 2000)
    #expect(bench.raised.map(\.alert.id) == [1, 2])
  }

  @Test("an alert with an accuracy waits for a confirming location, and drops undone events")
  func accuracy() throws {
    var bench = AlertBench([Self.home], [try Self.alert(.enter(.all), accuracy: 10)])
    bench.locate(900, at: 10)
    bench.locate(0, accuracy: 20, at: 100)
    bench.locate(0, accuracy: 20, at: 130)
    #expect(bench.crossings.count == 1 && bench.told == [])
    bench.locate(0, accuracy: 8, at: 160)
    #expect(bench.told == ["enter: home"])
    bench.stand(900, from: 500)
    bench.locate(0, accuracy: 20, at: 900)
    bench.locate(0, accuracy: 20, at: 930)
    bench.stand(900, accuracy: 15, from: 1000)
    bench.locate(900, accuracy: 5, at: 1500)
    #expect(bench.told == ["enter: home"])
  }

  @Test("schedule, one-time alerts, and the interval between two alerts") func gate() throws {
    var bench = AlertBench(
      [Self.home],
      [
        try Self.alert(.enter(.all), schedule: "2000"),
        try Self.alert(.enter(.all), id: 2, schedule: "0800"),
        try Self.alert(.enter(.all), id: 3, isOnce: true),
        try Self.alert(.enter(.all), id: 4, pause: 3600),
      ])
    for round in 0..<3 {
      let start = Double(round) * 1500
      bench.stand(900, from: start + 10)
      bench.stand(0, from: start + 700)
    }
    let counts = (1...4).map { id in bench.raised.count { $0.alert.id == id } }
    #expect(counts == [3, 0, 1, 1])
    #expect(bench.over == [3])
  }

  @Test("a date set back suppresses no alert") func dateBack() throws {
    var bench = AlertBench([Self.home], [try Self.alert(.enter(.all), pause: 3600)])
    bench.stand(900, from: 10)
    bench.stand(0, from: 300)
    bench.dateAtStart = AlertBench.date - .days(400)
    bench.stand(900, from: 1000)
    bench.stand(0, from: 1500)
    #expect(bench.told.count == 2)
  }

  @Test("nearness is reported once on the way there, and again after the board was away")
  func near() throws {
    var bench = AlertBench([Self.home], [try Self.alert(.near(.all, 300))])
    for (second, distance) in [3000.0, 1000, 400, 250, 100, 0].enumerated() {
      bench.stand(Metres(distance), from: Double(second) * 300 + 10)
    }
    #expect(bench.told == ["near: home"])
    bench.stand(1000, from: 3000)
    bench.stand(200, from: 3600)
    #expect(bench.told == ["near: home", "near: home"])
  }

  @Test("a stay is reported after its duration, also without signal, but not if it ends before")
  func dwell() throws {
    let alerts = [try Self.alert(.dwell(.all, 600))]
    var bench = AlertBench([Self.home], alerts)
    bench.locate(900, at: 10)
    bench.stand(0, from: 100)
    bench.stand(900, from: 500)
    bench.step(.timePassed, at: 800)
    #expect(bench.told == [])
    bench.stand(0, from: 1000)
    #expect(try #require(bench.wake).seconds >= 1590)
    bench.step(.timePassed, at: 1650)
    #expect(bench.looks[.deadlines] != nil, "it is due, and nobody knows whether it is still there")
    bench.step(.places(.presence(.searchFailed)), at: 1700)
    #expect(bench.told == ["dwell: home"])
    bench.locate(0, at: 3000)
    #expect(bench.told == ["dwell: home"])
  }

  @Test("a stay and raised alerts survive a restart") func restart() throws {
    let alerts = [try Self.alert(.dwell(.all, 600)), try Self.alert(.enter(.all), id: 2)]
    var bench = AlertBench([Self.home], alerts)
    bench.locate(900, at: 10)
    bench.stand(0, from: 100)
    var next = AlertBench([Self.home], alerts, restoring: bench.engine.snapshot)
    next.locate(0, at: 800)
    #expect(next.told == ["dwell: home"] && next.crossings.isEmpty)
  }

  @Test("not there by then: reported after a fix attempt, or when none is possible")
  func notThere() throws {
    let schedule = try AlertBench.daily("2100")
    let alert = Alert(id: 1, name: "late", .notThereBy(.all), schedule: schedule)
    var bench = AlertBench([Self.home], [alert])
    let due = 2000.0
    bench.stand(900, from: 10)
    #expect(try #require(bench.wake).seconds == due)
    bench.step(.timePassed, at: due)
    #expect(bench.looks[.deadlines] != nil && bench.told == [])
    bench.locate(900, at: due + 20)
    #expect(bench.told.count == 1 && bench.looks[.deadlines] == nil)
    bench.step(.timePassed, at: due + 86_400)
    bench.step(.timePassed, at: due + 86_400 + 301)
    #expect(bench.told.count == 2, "the sky is dark, and the patience over")
    bench.stand(0, from: due + 90_000)
    bench.rest(at: due + 90_200)
    bench.step(.timePassed, at: due + 2 * 86_400)
    #expect(bench.told.count == 2, "it rests where it has to be")
  }

  @Test("not back by then concerns a board that has left, also in an earlier run")
  func notBack() throws {
    let alert = Alert(
      id: 1, name: "late", .notBackBy(.all), schedule: try AlertBench.daily("2100"))
    var bench = AlertBench([Self.home], [alert])
    bench.stand(900, from: 10)
    bench.step(.timePassed, at: 2000)
    bench.locate(900, at: 2020)
    #expect(bench.told == [], "it was never there")
    bench.stand(0, from: 3000)
    bench.stand(900, from: 4000)
    var next = AlertBench([Self.home], [alert], restoring: bench.engine.snapshot)
    next.step(.timePassed, at: 88_400)
    next.locate(900, at: 88_420)
    #expect(next.told.count == 1)
  }

  @Test("a place whose device has disappeared is neither left nor missed") func vanished() throws {
    let guide = AlertBench.place("guide", radius: 100) {
      $0.location = .following(FollowedDevice(name: "guide", update: .interval(60)))
    }
    var bench = AlertBench([guide], [try Self.alert(.outside(.all))])
    bench.step(.places(.device("guide", at: AlertBench.centre)), at: 10)
    bench.stand(0, from: 30)
    bench.stand(900, from: 2000)
    #expect(bench.told == [], "nobody knows where the guide is by now")
    bench.step(.places(.device("guide", at: AlertBench.centre)), at: 2200)
    bench.stand(900, from: 2210)
    #expect(bench.told == ["outside: guide"])
  }

  @Test("a thousand alerts at one place are all raised, once each") func many() throws {
    let alerts = try (1...1000).map { try Self.alert(.enter(.all), id: Int64($0)) }
    var bench = AlertBench([Self.home], alerts)
    bench.stand(900, from: 10)
    bench.stand(0, from: 500)
    #expect(Set(bench.raised.map(\.alert.id)).count == 1000 && bench.raised.count == 1000)
  }
}
