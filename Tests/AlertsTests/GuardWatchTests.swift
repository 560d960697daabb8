import Geodesy
import Places
import Quantities
import Records
import TestSupport
import Testing

@testable import Alerts

/// What is parked or lies at anchor.
@Suite struct GuardWatchTests {
  private static func parked(_ change: (inout Guard) -> Void = { _ in }) -> Alert {
    var guarding = Guard(radius: 50, isArmed: true)
    change(&guarding)
    return Alert(id: 1, name: "bike", .moved(guarding), resendPause: 0)
  }

  private static func anchored(_ grace: Seconds = 60) -> Alert {
    Alert(
      id: 1, name: "boat", .anchor(Guard(radius: 40, grace: grace, isArmed: true)), resendPause: 0)
  }

  @Test("the circle is drawn at the next good location, and leaving it is told with new distances")
  func theft() throws {
    var bench = AlertBench([], [Self.parked()])
    #expect(try #require(bench.looks[.guards]).at.seconds == 0)
    bench.locate(300, accuracy: 80, at: 5)
    #expect(bench.desk.guarding.first?.centre == nil, "that is too inaccurate")
    bench.locate(0, at: 10)
    #expect(bench.desk.guarding.first?.centre != nil)
    bench.move(at: 1000)
    #expect(try #require(bench.looks[.guards]).at.seconds == 1000, "movement wakes the first look")
    for second in stride(from: 1010.0, through: 1400, by: 30) {
      bench.locate(Metres((second - 1000) * 5), at: second)
    }
    #expect(bench.raised.count > 2)
    #expect(bench.raised[0].text.hasPrefix("moved while parked: "))
    #expect(bench.raised[1].text.hasPrefix("goes on: now "))
  }

  @Test("wind shakes it: it is looked for a few times, nobody is told, and it calms down")
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

  @Test("where nothing tells of movement it is looked every five minutes") func unsensed() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    #expect(try #require(bench.looks[.guards]).at.seconds == 310)
  }

  @Test("armed by the ignition while it is off, by hand as a person says, by its hours")
  func arming() throws {
    var bench = AlertBench([], [Self.parked { $0.arming = .ignition }])
    bench.locate(0, at: 10)
    #expect(bench.desk.guarding.isEmpty, "nobody knows of an ignition")
    bench.step(.ignition(isOn: false), at: 20)
    #expect(bench.desk.guarding.count == 1)
    bench.step(.ignition(isOn: true), at: 30)
    #expect(bench.desk.guarding.isEmpty && bench.looks[.guards] == nil)
    bench.step(.alerts([Self.parked()]), at: 40)
    #expect(bench.desk.guarding.count == 1)
    bench.step(.alerts([Self.parked { $0.isArmed = false }]), at: 50)
    #expect(bench.desk.guarding.isEmpty)
    let night = Alert(
      id: 1, name: "bike", .moved(Guard(radius: 50, arming: .schedule)),
      schedule: try AlertBench.daily("2100", minutes: 60))
    bench.step(.alerts([night]), at: 60)
    #expect(bench.desk.guarding.isEmpty)
    #expect(try #require(bench.wake).seconds == 2000)
    bench.step(.timePassed, at: 2000)
    #expect(bench.desk.guarding.count == 1)
    bench.step(.timePassed, at: 5600)
    #expect(bench.desk.guarding.isEmpty)
  }

  @Test("read again unchanged, and over a restart, the circle stays where it was drawn")
  func circleStays() throws {
    var bench = AlertBench([], [Self.parked()])
    bench.locate(0, at: 10)
    bench.step(.alerts([Self.parked()]), at: 20)
    bench.locate(20, at: 400)
    let centre = try #require(bench.desk.guarding.first?.centre)
    #expect(Sphere.distance(centre, AlertBench.centre) < 1)
    let next = AlertBench([], [Self.parked()], restoring: bench.desk.snapshot)
    let restored = try #require(next.desk.guarding.first?.centre)
    #expect(Sphere.distance(restored, AlertBench.centre) < 1)
  }

  @Test("a boat that swings is left alone, one that drags is told after the grace, with its drift")
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
}
