import Core
import Records
import TestSupport
import Testing

@testable import Places

/// Guarding a parked vehicle or an anchored boat.
@Suite struct GuardWatchTests {
  private static func parked(
    pause: Seconds = 0, _ change: (inout Guard) -> Void = { _ in }
  ) -> Alert {
    var guarding = Guard(radius: 50, isArmed: true)
    change(&guarding)
    return Alert(id: 1, name: "bike", .moved(guarding), resendPause: pause)
  }

  private static func anchored(_ grace: Seconds = 60) -> Alert {
    Alert(
      id: 1, name: "boat", .anchor(Guard(radius: 40, grace: grace, isArmed: true)), resendPause: 0)
  }

  @Test("the circle is set at the next good location, and leaving it is reported with distances")
  func theft() throws {
    var bench = AlertBench([], [Self.parked()])
    #expect(try #require(bench.looks[.guards]).at.seconds == 0)
    bench.locate(300, accuracy: 80, at: 5)
    #expect(bench.engine.guarding.first?.centre == nil, "that is too inaccurate")
    bench.locate(0, at: 10)
    #expect(bench.engine.guarding.first?.centre != nil)
    bench.move(at: 1000)
    #expect(try #require(bench.looks[.guards]).at.seconds == 1000, "movement wakes the first look")
    for second in stride(from: 1010.0, through: 1400, by: 30) {
      bench.locate(Metres((second - 1000) * 5), at: second)
    }
    #expect(bench.raised.count > 2)
    #expect(bench.raised[0].text.hasPrefix("moved while parked: "))
    #expect(bench.raised[1].text.hasPrefix("still moving: now "))
  }

  @Test("rearmed it guards the new place at once, whatever was reported of the old one")
  func armedAnew() throws {
    var bench = AlertBench([], [Self.parked(pause: 300)])
    bench.locate(0, at: 10)
    bench.move(at: 100)
    bench.stand(500, from: 110)
    #expect(bench.raised.count == 1)
    bench.step(.alerts([Self.parked(pause: 300) { $0.isArmed = false }]), at: 230)
    #expect(bench.engine.guarding.isEmpty)
    bench.step(.alerts([Self.parked(pause: 300)]), at: 231)
    bench.locate(500, at: 235)
    bench.move(at: 240)
    bench.stand(800, from: 250)
    #expect(bench.raised.count == 2)
    #expect(bench.raised.last?.text.hasPrefix("moved while parked: ") == true)
  }

  @Test("wind shakes it: a few fixes are requested, nothing is reported, and the requests end")
  func wind() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.step(.sensing(true), at: 1)
    bench.locate(0, at: 10)
    #expect(try #require(bench.looks[.guards]).at.seconds > 20_000)
    bench.step(.shaken, at: 1000)
    #expect(try #require(bench.looks[.guards]).at.seconds == 1000)
    bench.locate(8, at: 1020)
    #expect(try #require(bench.looks[.guards]).at.seconds > 20_000)
    #expect(bench.raised.isEmpty)
  }

  @Test("without a motion sensor a fix is requested every five minutes") func unsensed() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    #expect(try #require(bench.looks[.guards]).at.seconds == 310)
  }

  @Test("armed by the ignition while it is off, by hand on command, or by its hours")
  func arming() throws {
    var bench = AlertBench([], [Self.parked { $0.arming = .ignition }])
    bench.locate(0, at: 10)
    #expect(bench.engine.guarding.isEmpty, "nobody knows of an ignition")
    bench.step(.ignition(isOn: false), at: 20)
    #expect(bench.engine.guarding.count == 1)
    bench.step(.ignition(isOn: true), at: 30)
    #expect(bench.engine.guarding.isEmpty && bench.looks[.guards] == nil)
    bench.step(.alerts([Self.parked()]), at: 40)
    #expect(bench.engine.guarding.count == 1)
    bench.step(.alerts([Self.parked { $0.isArmed = false }]), at: 50)
    #expect(bench.engine.guarding.isEmpty)
    let night = Alert(
      id: 1, name: "bike", .moved(Guard(radius: 50, arming: .schedule)),
      schedule: try AlertBench.daily("2100", minutes: 60))
    bench.step(.alerts([night]), at: 60)
    #expect(bench.engine.guarding.isEmpty)
    #expect(try #require(bench.wake).seconds == 2000)
    bench.step(.timePassed, at: 2000)
    #expect(bench.engine.guarding.count == 1)
    bench.step(.timePassed, at: 5600)
    #expect(bench.engine.guarding.isEmpty)
  }

  @Test("reloaded unchanged, and over a restart, the circle stays in place")
  func circleStays() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    bench.step(.alerts([Self.parked()]), at: 20)
    bench.locate(20, at: 400)
    let centre = try #require(bench.engine.guarding.first?.centre)
    #expect(Sphere.distance(centre, AlertBench.centre) < 1)
    let next = AlertBench([], [Self.parked()], restoring: bench.engine.snapshot)
    let restored = try #require(next.engine.guarding.first?.centre)
    #expect(Sphere.distance(restored, AlertBench.centre) < 1)
  }

  @Test("a swinging boat raises nothing, a dragging one is reported after the grace with its drift")
  func anchor() throws {
    var chance = SplitMix(seed: 3)
    var bench = AlertBench([], [Self.anchored()])
    bench.locate(0, at: 10)
    for minute in 1...240 {
      bench.locate(Metres(.random(in: -25...25, using: &chance)), at: Double(minute) * 60)
    }
    #expect(bench.raised.isEmpty)
    for minute in 1...40 {
      bench.locate(Metres(Double(minute) * 4), at: 14_400 + Double(minute) * 60)
    }
    let first = try #require(bench.raised.first)
    #expect(first.text.contains("from the anchor") && first.text.contains("m/min"))
    #expect(first.text.hasSuffix("towards east"))
    let location = try #require(first.location)
    #expect(Sphere.distance(location.position, AlertBench.centre) < 80)
  }

  @Test("after a first location outside another fix is requested at once, and the grace begins")
  func doubt() throws {
    var bench = AlertBench([], [Self.anchored(100)])
    bench.locate(0, accuracy: 4, at: 1000)
    #expect(try #require(bench.looks[.guards]).at.seconds > 1050)
    bench.locate(60, accuracy: 4, at: 1060)
    #expect(try #require(bench.looks[.guards]).at.seconds == 1080)
    bench.locate(62, accuracy: 4, at: 1080)
    bench.locate(64, accuracy: 4, at: 1100)
    #expect(bench.raised.isEmpty)
    bench.locate(68, accuracy: 4, at: 1160)
    #expect(bench.raised.count == 1)
  }

  @Test("a position error that looks like leaving starts no grace") func refutedDoubt() throws {
    var bench = AlertBench([], [Self.anchored(100)])
    bench.locate(0, accuracy: 4, at: 1000)
    bench.locate(60, accuracy: 4, at: 1060)
    bench.locate(20, accuracy: 4, at: 1080)
    for second in [1140.0, 1160, 1180, 1200] { bench.locate(62, accuracy: 4, at: second) }
    #expect(bench.raised.isEmpty, "since 1140 only")
    bench.locate(64, accuracy: 4, at: 1240)
    #expect(bench.raised.count == 1)
  }

  @Test("shaken all night by wind: requests become rarer, at most one every 5 minutes")
  func windyNight() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.step(.sensing(true), at: 1)
    bench.locate(0, at: 10)
    var looks: [Double] = []
    for second in stride(from: 1000.0, to: 8200, by: 5) {
      bench.step(.shaken, at: second)
      guard let look = bench.looks[.guards], look.at.seconds <= second else { continue }
      looks.append(second)
      bench.locate(4, at: second + 1)
    }
    #expect(looks.first == 1000 && looks[1] < 1030, "the first ones come at once")
    #expect(looks.count < 40 && bench.raised.isEmpty)
    #expect(try #require(zip(looks.dropFirst(), looks).map { $0 - $1 }.max()) <= 306)
    let calm = try #require(looks.last) + 1
    #expect(try #require(bench.looks[.guards]).at.seconds <= calm + 300)
    bench.locate(4, at: 8500)
    #expect(try #require(bench.looks[.guards]).at.seconds > 20_000)
    bench.step(.shaken, at: 12_000)
    #expect(try #require(bench.looks[.guards]).at.seconds == 12_000, "that is another matter")
  }

  @Test("as long as movement lasts fixes are requested, although it was still there at first")
  func loaded() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.step(.sensing(true), at: 1)
    bench.locate(0, at: 10)
    bench.move(at: 1000)
    bench.locate(0, at: 1015)
    #expect(try #require(bench.looks[.guards]).at.seconds == 1035)
    bench.stand(400, from: 1100)
    #expect(bench.raised.count == 1)
  }

  @Test("a request that no location or search answers is made once, not at every step")
  func noChase() throws {
    for alert in [Self.parked(), Self.anchored()] {
      var bench = AlertBench([], [alert])
      let before = bench.lookChanges
      for second in 1...500 { bench.step(.timePassed, at: Double(second)) }
      #expect(bench.lookChanges == before)
      for minute in 10...200 {
        bench.step(.places(.presence(.searchFailed)), at: Double(minute) * 60)
        #expect(try #require(bench.looks[.guards]).at.seconds > Double(minute) * 60)
      }
      bench.locate(0, at: 20_000)
      bench.step(.shaken, at: 30_000)
      let felt = bench.lookChanges
      for second in 1...500 { bench.step(.timePassed, at: 30_000 + Double(second)) }
      #expect(bench.lookChanges == felt)
    }
  }

  @Test("a location too inaccurate for a circle ends the search after a minute at the earliest")
  func coarse() throws {
    var bench = AlertBench([], [Self.parked()])
    for second in 1...50 { bench.locate(0, accuracy: 90, at: Double(second)) }
    #expect(try #require(bench.looks[.guards]).at.seconds == 0)
    for second in 51...600 { bench.locate(0, accuracy: 90, at: Double(second)) }
    #expect(try #require(bench.looks[.guards]).at.seconds > 800)
    #expect(bench.engine.guarding.first?.centre == nil && bench.raised.isEmpty)
  }

  @Test("after its return it is guarded again, and its next leaving is reported")
  func back() throws {
    var bench = AlertBench([], [Self.anchored(0)])
    bench.locate(0, at: 10)
    bench.stand(60, from: 1000)
    #expect(bench.raised.count == 1)
    bench.stand(0, from: 2000)
    #expect(try #require(bench.looks[.guards]).at.seconds > 2090)
    bench.stand(-60, from: 8000)
    #expect(bench.raised.count == 2)
  }

  @Test("after a restart known events are not repeated, but new ones are reported")
  func goesOnAfterRestart() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    bench.stand(600, from: 1000)
    #expect(bench.raised.count == 1)
    var next = AlertBench([], [Self.parked()], restoring: bench.engine.snapshot)
    #expect(try #require(next.looks[.guards]).at.seconds == 0)
    next.stand(600, from: 2000)
    #expect(next.raised.isEmpty)
    next.stand(900, from: 3000)
    #expect(next.raised.map { $0.text.hasPrefix("still moving: now 900 m") } == [true])
  }

  @Test("a location from before it came to rest sets no circle, and one from since then does")
  func circleOfRest() throws {
    var bench = AlertBench()
    bench.locate(0, at: 10)
    bench.rest(at: 1000)
    bench.step(.alerts([Self.parked()]), at: 2000)
    #expect(bench.engine.guarding.map(\.centre) == [nil])
    bench.step(.alerts([]), at: 2100)
    bench.locate(0, at: 2200)
    bench.step(.alerts([Self.parked()]), at: 9000)
    #expect(bench.engine.guarding.first?.centre != nil)
  }

  @Test("position errors do not report a theft while it is known to rest")
  func errorsAtRest() throws {
    var bench = AlertBench()
    bench.rest(at: 5)
    bench.locate(0, at: 10)
    bench.step(.alerts([Self.parked()]), at: 20)
    bench.stand(200, from: 1000)
    bench.locate(0, at: 1200)
    bench.stand(150, from: 1300)
    #expect(bench.raised.isEmpty)
  }

  @Test("hours that are still unknown after a restart do not disarm a guard")
  func dateUnknown() throws {
    let night = Alert(
      id: 1, name: "bike", .moved(Guard(radius: 50, arming: .schedule)),
      schedule: try AlertBench.daily("2000", minutes: 60))
    var bench = AlertBench([], [night])
    bench.locate(0, at: 10)
    let centre = try #require(bench.engine.guarding.first?.centre)
    var next = AlertBench([], [night], restoring: bench.engine.snapshot, date: nil)
    #expect(next.engine.guarding.isEmpty)
    next.dateAtStart = AlertBench.date
    next.locate(300, at: 20)
    #expect(next.engine.guarding.map(\.centre) == [centre])
  }

  @Test("a circle that was set elsewhere meanwhile applies") func drawnAnew() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    let there = AlertBench.position(5000)
    let next = AlertBench([], [Self.parked { $0.centre = there }], restoring: bench.engine.snapshot)
    #expect(next.engine.guarding.map(\.centre) == [there])
  }

  @Test("a removed guard leaves nothing behind") func gone() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    let next = AlertBench([], [], restoring: bench.engine.snapshot)
    #expect(next.engine.snapshot == AlertEngine().snapshot)
  }
}
