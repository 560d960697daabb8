import Core
import Records
import Testing
import Tracking
import VirtualDevice

/// Evidence sources that give false reports for days: energy and stays are no worse than without
/// them, and their reliability falls.
@Suite struct HostileSourcesTests {
  /// The energy and stays of the same days without any source.
  private static let alone = seeds.map { WitnessedWeek(seed: $0) }
  /// Whether a fix attempt falls into a short stay is chance: several lives together are more
  /// significant than one.
  private static let seeds: [UInt64] = [5, 6, 7]

  /// Each false source may cost the fix attempts needed to detect it: a twentieth.
  private func expectHarmless(
    liars: Double = 1, missing: Int = 0, _ lied: (UInt64) -> WitnessedWeek
  ) -> [WitnessedWeek] {
    let weeks = Self.seeds.map(lied)
    let energy = weeks.reduce(0) { $0 + $1.energy }
    let usual = Self.alone.reduce(0) { $0 + $1.energy }
    #expect(energy < usual * (1 + 0.05 * liars), "\(energy) of \(usual)")
    let found = weeks.reduce(0) { $0 + $1.found }
    let shown = Self.alone.reduce(0) { $0 + $1.found }
    #expect(found >= shown - missing, "\(found) of \(shown)")
    return weeks
  }

  @Test("a motion line that chatters costs no more than none") func chatter() {
    // The edges that pass the mask of a line that chatters at 1 kHz.
    let weeks = expectHarmless {
      WitnessedWeek(seed: $0, liars: [LyingSource("motion") { _ in (.motion, 10) }])
    }
    #expect(weeks.allSatisfy { $0.standing("motion")?.isTrusted == false })
  }

  @Test("a motion line that breaks is detected on the next journeys") func brokenWire() {
    let week = WitnessedWeek([.motion]) { evidence, time in time < .days(1) ? evidence : nil }
    #expect(week.energy < Self.alone[0].energy)
    // Between two walls without reception the error is not noticed until the board is located
    // elsewhere.
    #expect(week.found >= Self.alone[0].found - 2, "\(week.found) of \(Self.alone[0].found)")
    #expect(week.standing("motion")?.isTrusted == false)
    #expect(week.standing("motion")?.contradictions ?? 0 > 0)
  }

  @Test("a mobile network hides no journey") func busNetwork() {
    let weeks = expectHarmless {
      WitnessedWeek(
        seed: $0,
        liars: [LyingSource("network") { _ in (.network("02:00:00:00:00:01"), .hours(400)) }])
    }
    for week in weeks {
      #expect(week.standing("network")?.isTrusted == false)
      #expect(week.standing("network")?.contradictions ?? 0 > 0)
    }
  }

  /// Until they are detected they hide one or two short trips.
  @Test("access points that have moved to each other's houses cost little, and are detected")
  func movedHouses() {
    let weeks = expectHarmless(missing: 2) { seed in
      var names: [String] = []
      return WitnessedWeek([.network], seed: seed) { evidence, time in
        guard case .network(let name?) = evidence else { return evidence }
        if !names.contains(name) { names.append(name) }
        guard time > .days(1.5), let index = names.firstIndex(of: name) else { return evidence }
        return .network(names[(index + 1) % names.count])
      }
    }
    for week in weeks {
      #expect(week.standing("network")?.isTrusted == false)
      #expect(week.standing("network")?.contradictions ?? 0 > 0)
    }
  }

  /// Four sources whose reports change every two minutes.
  private static func contrary() -> [LyingSource] {
    var step = 0
    return [
      LyingSource("motion") { _ in
        step += 1
        // Two edges close together every two minutes: movement without displacement.
        return (.motion, step % 2 == 0 ? 110 : 10)
      },
      LyingSource("network") { now in
        let isJoined = Int((now - .zero).value) / 60 % 2 == 0
        return (.network(isJoined ? "02:00:00:00:00:02" : nil), 60)
      },
      LyingSource("ignition") { now in
        (.ignition(isOn: Int((now - .zero).value) / 45 % 2 == 0), 45)
      },
      LyingSource("cell") { now in
        (.cell("001-01-\(Int((now - .zero).value) / 90)"), 90)
      },
    ]
  }

  @Test("sources that contradict themselves for days cost little more than none")
  func contradictions() {
    let weeks = expectHarmless(liars: 4) { seed in
      WitnessedWeek(seed: seed, liars: Self.contrary())
    }
    #expect(!weeks.contains { $0.standings.contains { $0.isTrusted } })
  }

  @Test("false sources do not reduce the benefit of a motion sensor") func beside() {
    let witnessed = WitnessedWeek([.motion])
    let week = WitnessedWeek(
      [.motion],
      liars: [
        LyingSource("network") { _ in (.network("02:00:00:00:00:01"), .hours(400)) },
        LyingSource("cell") { now in (.cell("001-01-\(Int((now - .zero).value) / 90)"), 90) },
      ])
    #expect(week.found >= witnessed.found, "\(week.found) of \(witnessed.found)")
    // Detecting the two takes as many fix attempts as without the sensor.
    let limit = witnessed.energy + Self.alone[0].energy * 0.05 * 2
    #expect(week.energy < limit, "\(week.energy) of \(witnessed.energy)")
    #expect(week.standing("motion")?.isTrusted == true)
  }
}
