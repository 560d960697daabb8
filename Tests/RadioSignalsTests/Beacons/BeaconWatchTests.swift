import Core
import TestSupport
import Testing

@testable import RadioSignals

@Suite struct BeaconWatchTests {
  private static let region = region(major: 1)

  private static func region(major: Int) -> BeaconRegion {
    try! BeaconRegion("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0/\(major)")
  }

  private static func frame(_ minor: UInt16 = 1, major: UInt16 = 1) -> BeaconFrame {
    BeaconFrame(
      .iBeacon(
        uuid: UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")!, major: major, minor: minor),
      strengthAtOneMetre: -59)
  }

  private static func at(_ seconds: Double) -> BootInstant { BootInstant.zero + Seconds(seconds) }

  private static func watch(listens: Bool = true) -> BeaconRegionMonitor {
    var watch = BeaconRegionMonitor(leastStrength: -90)
    _ = watch.step(.wanted([region]), at: at(0))
    if listens { _ = watch.step(.listening(true), at: at(0)) }
    return watch
  }

  @Test("the first advertisement causes entry, thirty seconds of silence cause exit") func plain() {
    var watch = Self.watch()
    let entered = watch.step(.received(Self.frame(), -70), at: Self.at(10))
    #expect(entered.first == .entered(Self.region, Self.frame().beacon))
    #expect(watch.inside == [Self.region])
    #expect(entered.last == .wake(Self.at(40)))
    _ = watch.step(.received(Self.frame(), -70), at: Self.at(11))
    #expect(
      watch.step(.timePassed, at: Self.at(40.9)).contains {
        if case .left = $0 { true } else { false }
      } == false)
    #expect(
      watch.step(.timePassed, at: Self.at(41))
        == [.left(Self.region, lastReception: Self.at(11)), .wake(nil)])
    #expect(watch.inside.isEmpty)
  }

  @Test("another region, weak signals, and a single borderline one cause no entry")
  func strength() {
    var watch = Self.watch()
    #expect(watch.step(.received(Self.frame(major: 2), -40), at: Self.at(1)) == [])
    for second in 1...3 {
      #expect(watch.step(.received(Self.frame(), -91), at: Self.at(Double(second))) == [])
    }
    #expect(watch.step(.received(Self.frame(), -90), at: Self.at(40)) == [])
    #expect(watch.step(.received(Self.frame(), -90), at: Self.at(70)) == [])
    #expect(watch.step(.received(Self.frame(), -90), at: Self.at(71)) == [])
    #expect(!watch.step(.received(Self.frame(), -90), at: Self.at(72)).isEmpty)
    #expect(watch.inside == [Self.region])
  }

  @Test("occasional distant or weak advertisements do not prevent exit") func stray() {
    var watch = Self.watch()
    for second in 1...20 {
      _ = watch.step(.received(Self.frame(), -70), at: Self.at(Double(second)))
    }
    for second in stride(from: 23.0, to: 90, by: 3) {
      let isStrong = Int(second) % 12 == 5
      _ = watch.step(.received(Self.frame(), isStrong ? -86 : -91), at: Self.at(second))
    }
    #expect(watch.inside.isEmpty)
  }

  @Test(
    "distant bursts do not prevent exit if another beacon is much stronger",
    arguments: [-60.0, nil])
  func outdone(besides strength: Double?) {
    let other = Self.region(major: 2)
    var watch = Self.watch()
    _ = watch.step(.wanted([Self.region, other]), at: Self.at(0))
    for second in 1...60 {
      _ = watch.step(.received(Self.frame(), -62), at: Self.at(Double(second)))
    }
    var left: BootInstant?
    for second in 61...100 {
      let now = Self.at(Double(second))
      var effects: [BeaconEffect] = []
      if let strength {
        effects += watch.step(.received(Self.frame(major: 2), DecibelMilliwatts(strength)), at: now)
      }
      // Ten seconds of every twenty, and of these every other one.
      if second % 20 < 10, second % 2 == 0 {
        effects += watch.step(.received(Self.frame(), -88), at: now)
      }
      effects += watch.step(.timePassed, at: now)
      if effects.contains(where: { if case .left(Self.region, _) = $0 { true } else { false } }) {
        left = now
      }
    }
    #expect(strength == nil ? left == nil : left.map { $0 <= Self.at(98) } == true)
  }

  @Test("with every third advertisement lost a nearer beacon causes no exit") func between() {
    let other = Self.region(major: 2)
    var watch = Self.watch()
    _ = watch.step(.wanted([Self.region, other]), at: Self.at(0))
    var random = SplitMix(seed: 17)
    var left = 0
    for second in 1...86_400 {
      for (major, strength) in [(1, -80.0), (2, -55)]
      where Double.random(in: 0..<1, using: &random) > 0.33 {
        let event = BeaconEvent.received(
          Self.frame(major: UInt16(major)), DecibelMilliwatts(strength))
        left += watch.step(event, at: Self.at(Double(second))).count { effect in
          if case .left = effect { true } else { false }
        }
      }
    }
    #expect(left == 0 && Set(watch.inside) == [Self.region, other])
  }

  @Test("an entry by a single advertisement after many weak ones is reverted")
  func passing() {
    var watch = Self.watch()
    for second in 1...10 {
      for strength in [-95.0, -95, -90] {
        _ = watch.step(
          .received(Self.frame(), DecibelMilliwatts(strength)), at: Self.at(Double(second)))
      }
    }
    #expect(watch.inside.isEmpty)
    let entered = watch.step(.received(Self.frame(), -70), at: Self.at(40))
    #expect(entered.last == .wake(Self.at(70)) && watch.inside == [Self.region])
    #expect(
      watch.step(.timePassed, at: Self.at(70)).first
        == .left(Self.region, lastReception: Self.at(40)))
  }

  @Test("a beacon with an interval of five seconds counts as regular") func seldom() {
    var watch = Self.watch()
    for second in stride(from: 1.0, to: 3600, by: 5) {
      _ = watch.step(.received(Self.frame(), -70), at: Self.at(second))
      _ = watch.step(.timePassed, at: Self.at(second + 4))
      #expect(watch.inside == [Self.region])
    }
  }

  @Test("the proximity is reported on each change, and when nothing is received any more")
  func proximity() {
    var watch = Self.watch()
    var told: [Proximity] = []
    var wakes: [BootInstant?] = []
    func take(_ event: BeaconEvent, at time: BootInstant) {
      for effect in watch.step(event, at: time) {
        if case .proximity(_, let proximity) = effect { told.append(proximity) }
        if case .wake(let wake) = effect { wakes.append(wake) }
      }
    }
    for second in 0..<4 { take(.received(Self.frame(), -62), at: Self.at(Double(second))) }
    #expect(told == [.near] && watch.proximity(of: Self.region) == .near)
    for _ in 0..<20 {
      guard let wake = wakes.last ?? nil else { break }
      take(.timePassed, at: wake)
    }
    #expect(told == [.near, .unknown])
    #expect(watch.inside.isEmpty && wakes.last == .some(nil))
  }

  @Test("one of several beacons of a region is enough to stay") func several() {
    var watch = Self.watch()
    _ = watch.step(.received(Self.frame(1), -70), at: Self.at(1))
    for second in stride(from: 20.0, to: 200, by: 20) {
      let effects = watch.step(.received(Self.frame(2), -70), at: Self.at(second))
      #expect(!effects.contains { if case .entered = $0 { true } else { false } })
    }
    #expect(watch.inside == [Self.region])
  }

  @Test("a radio that does not listen loses no beacon until it has listened") func asleep() {
    var watch = Self.watch()
    _ = watch.step(.received(Self.frame(), -70), at: Self.at(1))
    _ = watch.step(.listening(false), at: Self.at(2))
    #expect(watch.step(.timePassed, at: Self.at(500)) == [])
    #expect(watch.step(.listening(true), at: Self.at(500)) == [.wake(Self.at(505))])
    #expect(watch.step(.timePassed, at: Self.at(504.9)) == [])
    #expect(
      watch.step(.timePassed, at: Self.at(505)).first
        == .left(Self.region, lastReception: Self.at(1)))
  }

  @Test("a region that is no longer expected is left, the others stay") func wanted() throws {
    var watch = Self.watch()
    _ = watch.step(.received(Self.frame(), -70), at: Self.at(1))
    let other = try BeaconRegion("eddystone:00112233445566778899")
    #expect(
      !watch.step(.wanted([other, Self.region, other]), at: Self.at(2)).contains(
        .left(Self.region, lastReception: Self.at(1))))
    #expect(watch.inside == [Self.region])
    #expect(
      watch.step(.wanted([other]), at: Self.at(3)).first
        == .left(Self.region, lastReception: Self.at(1)))
  }

  @Test("the number of tracked beacons is bounded") func flood() {
    var watch = Self.watch()
    for index in 0..<10_000 {
      _ = watch.step(
        .received(Self.frame(UInt16(index)), -70), at: Self.at(1 + Double(index) / 1000))
    }
    #expect(watch.inside == [Self.region])
    #expect(
      watch.step(.timePassed, at: Self.at(60)).first.map {
        if case .left = $0 { true } else { false }
      } == true)
  }

  @Test("every form of region that contains a beacon is entered, in the order of the regions")
  func forms() throws {
    let owner = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0"
    let uid = try #require(
      EddystoneUID(namespace: Array(0...9), instance: [0, 0, 0, 0, 0, 7]))
    let frames = [Self.frame(7, major: 1), BeaconFrame(.eddystone(uid), strengthAtOneMetre: -59)]
    let texts = [
      "\(owner)/*/7", "\(owner)/2/7", owner, "\(owner)/1/7", "\(owner)/1",
      "eddystone:00010203040506070809", "eddystone:00010203040506070809/000000000007",
      "eddystone:00010203040506070809/000000000008",
    ]
    let regions = try texts.map { text in try BeaconRegion(text) }
    for wanted in [regions, regions.reversed()] {
      var watch = BeaconRegionMonitor(leastStrength: -90)
      _ = watch.step(.wanted(wanted), at: Self.at(0))
      for frame in frames {
        let entered = watch.step(.received(frame, -60), at: Self.at(1)).compactMap {
          if case .entered(let region, _) = $0 { region } else { nil }
        }
        #expect(entered == wanted.filter { $0.contains(frame.beacon) })
      }
      #expect(watch.inside == wanted.filter { $0 != regions[1] && $0 != regions[7] })
    }
  }

  @Test("among fifty thousand regions an advertisement costs as little as among few") func cost() {
    var station = BeaconController(BeaconSettings())
    let owner = UniqueID("e2c56db5-dffb-48d2-b060-d0f5a71096e0")!
    func wanted() -> [BeaconRegion] {
      (0..<50_000).map { number in
        .iBeacon(uuid: owner, major: UInt16(number / 1000), minor: UInt16(number % 1000))
      }
    }
    _ = station.step(.expected(true), at: Self.at(0))
    _ = station.step(.wanted(wanted()), at: Self.at(0))
    // Places that are read again have the same.
    _ = station.step(.wanted(wanted()), at: Self.at(0))
    _ = station.step(.radio(.listening(true)), at: Self.at(0))
    let clock = ContinuousClock()
    // The best of several runs, because other programs run as well; an order of magnitude is left.
    let best = (1...20).map { second in
      clock.measure {
        _ = station.step(.radio(.otherDevice), at: Self.at(Double(second)))
        _ = station.step(
          .radio(.received(Self.frame(UInt16(second)), -70)), at: Self.at(Double(second)))
      }
    }.min()
    #expect(station.inside.count == 20)
    #expect(best.map { $0 < .milliseconds(5) } == true, "\(String(describing: best))")
  }

  /// Approaches a beacon and leaves within an hour; the radio listens 2 s of every 4.
  private static func lives(
    seed: UInt64, visits: Int, staying stay: Double, lost: Double
  ) -> (enter: [Double], exit: [Double], falseExits: Int) {
    var random = SplitMix(seed: seed)
    func chance() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    var watch = Self.watch(listens: false)
    var time = 0.0
    var result: (enter: [Double], exit: [Double], falseExits: Int) = ([], [], 0)
    for _ in 0..<visits {
      let arrival = time + 60 + chance() * 60
      let departure = arrival + stay
      let end = departure + 120
      var wake: BootInstant?
      var wasInside = false
      var next = arrival + chance()
      // Four steps a second: scan windows begin and end, the beacon sends about once a second.
      var step = (time * 4).rounded()
      while step / 4 < end {
        let now = step / 4
        var effects: [BeaconEffect] = []
        let phase = now.truncatingRemainder(dividingBy: 4)
        if phase == 0 { effects += watch.step(.listening(true), at: at(now)) }
        if phase == 2 { effects += watch.step(.listening(false), at: at(now)) }
        if now >= next, now < departure {
          // 1 s, and a random delay of up to 10 ms (Core Specification, volume 6, part B, 4.4.2.2).
          next += 1 + chance() * 0.01
          if phase < 2, chance() >= lost {
            effects += watch.step(.received(frame(), -75), at: at(now))
          }
        }
        if let due = wake, due <= at(now) { effects += watch.step(.timePassed, at: at(now)) }
        for effect in effects {
          switch effect {
          case .entered:
            if now < departure, !wasInside { result.enter.append(now - arrival) }
            wasInside = true
          case .left:
            if now < departure {
              result.falseExits += 1
            } else {
              result.exit.append(now - departure)
            }
          case .wake(let instant): wake = instant
          case .proximity: break
          }
        }
        step += 1
      }
      time = end
    }
    return result
  }

  @Test(
    "a beacon of 1 Hz, every fifth lost: in within 5 s, out after 30 s, in 19 of 20",
    arguments: 1...2 as ClosedRange<UInt64>)
  func visits(seed: UInt64) {
    let (enter, exit, _) = Self.lives(seed: seed, visits: 400, staying: 10, lost: 0.2)
    #expect(enter.count { $0 <= 5 } >= 380, "\(enter.sorted().suffix(5))")
    #expect(exit.count { (25...35).contains($0) } >= 380, "\(exit.sorted())")
  }

  @Test("with every third lost a day inside has no false exit") func stays() {
    #expect(Self.lives(seed: 7, visits: 1, staying: 86_400, lost: 0.33).falseExits == 0)
  }
}
