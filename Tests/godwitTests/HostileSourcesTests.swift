import Quantities
import Records
import Testing
import Tracking
import VirtualDevice

/// Sources of evidence that lie for days: energy and stays are no worse than without them, and
/// their standing falls.
@Suite struct HostileSourcesTests {
  /// What the same days cost and show without any source.
  private static let alone = WitnessedWeek()

  /// Each liar may cost the looks that it took to find it out: a twentieth.
  private func expectHarmless(_ week: WitnessedWeek, liars: Double = 1) {
    let limit = Self.alone.energy * (1 + 0.05 * liars)
    #expect(week.energy < limit, "\(week.energy) of \(Self.alone.energy)")
    #expect(week.found >= Self.alone.found, "\(week.found) of \(Self.alone.found)")
  }

  @Test("a motion line that chatters costs no more than none") func chatter() {
    // What passes the mask of a line that chatters at 1 kHz.
    let week = WitnessedWeek(liars: [LyingSource("motion") { _ in (.motion, 10) }])
    expectHarmless(week)
    #expect(week.standing("motion")?.isTrusted == false)
  }

  @Test("a motion line that breaks is found out on the next journeys") func brokenWire() {
    let week = WitnessedWeek([.motion], dyingAfter: .days(1))
    #expect(week.energy < Self.alone.energy)
    // Between two walls that let nothing through nobody notices until it is found elsewhere.
    #expect(week.found >= Self.alone.found - 2, "\(week.found) of \(Self.alone.found)")
    #expect(week.standing("motion")?.isTrusted == false)
    #expect(week.standing("motion")?.contradictions ?? 0 > 0)
  }

  @Test("a network that travels along hides no journey") func busNetwork() {
    let week = WitnessedWeek(
      liars: [LyingSource("network") { _ in (.network("02:00:00:00:00:01"), .hours(400)) }])
    expectHarmless(week)
    #expect(week.standing("network")?.isTrusted == false)
    #expect(week.standing("network")?.contradictions ?? 0 > 0)
  }

  @Test("sources that contradict themselves for days cost little more than none")
  func contradictions() {
    var step = 0
    let week = WitnessedWeek(
      liars: [
        LyingSource("motion") { _ in
          step += 1
          // Two edges close together every two minutes: movement that leads nowhere.
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
      ])
    expectHarmless(week, liars: 4)
    #expect(!week.standings.contains { $0.isTrusted })
  }

  @Test("who lies takes nothing from what a motion sensor shows") func beside() {
    let witnessed = WitnessedWeek([.motion])
    let week = WitnessedWeek(
      [.motion],
      liars: [
        LyingSource("network") { _ in (.network("02:00:00:00:00:01"), .hours(400)) },
        LyingSource("cell") { now in (.cell("001-01-\(Int((now - .zero).value) / 90)"), 90) },
      ])
    #expect(week.found >= witnessed.found, "\(week.found) of \(witnessed.found)")
    #expect(week.energy < witnessed.energy * 1.05, "\(week.energy) of \(witnessed.energy)")
    #expect(week.standing("motion")?.isTrusted == true)
  }
}
