import Records
import Core
import Testing

@testable import Tracking

/// External power beside the battery, and its effect on GNSS.
@Suite struct ExternalPowerTests {
  private static func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  private static func profile(grace: Seconds = 60) -> ExternalPowerProfile {
    var profile = ExternalPowerProfile()
    profile.grace = grace
    return profile
  }

  private static func demands(
    _ policy: any Policy = HybridPolicy(HybridSettings(), hasCoarseSource: true),
    _ profile: ExternalPowerProfile = profile()
  ) -> Demands {
    var demands = Demands(
      policy, hasReceiver: true, external: profile, backOff: BackOff(first: 120, maxPause: 1800))
    demands.searchFailed(at: .zero)
    return demands
  }

  private static func reason(_ demands: Demands, _ seconds: Double) -> String? {
    let demand = demands.demand(at: at(seconds), in: .unknown)
    return demand.mode == .on ? demand.reason : nil
  }

  @Test("GNSS stays on while it is there, and for the grace time after it has gone")
  func continuous() {
    var demands = Self.demands()
    #expect(Self.reason(demands, 10) == nil)
    demands.externallySupplied(true, at: Self.at(20))
    #expect(Self.reason(demands, 20) == "external power: continuous")
    #expect(Self.reason(demands, 90_000) == "external power: continuous")
    #expect(demands.nextDeadline(in: .unknown, at: Self.at(90_000)) == nil)
    demands.externallySupplied(false, at: Self.at(100))
    #expect(
      Self.reason(demands, 101) == "external power is off: continuous for another 59 s")
    #expect(demands.nextDeadline(in: .unknown, at: Self.at(101)) == Self.at(160))
    #expect(Self.reason(demands, 160) == nil)
  }

  @Test("engine cranking interrupts nothing") func cranking() {
    var demands = Self.demands()
    for second in stride(from: 0.0, to: 300, by: 30) {
      demands.externallySupplied(true, at: Self.at(second))
      demands.externallySupplied(false, at: Self.at(second + 15))
      #expect(Self.reason(demands, second + 20) != nil)
    }
    #expect(Self.reason(demands, 285 + 61) == nil)
  }

  @Test("a repeated report of its absence does not restart the grace time") func saidTwice() {
    var demands = Self.demands()
    demands.externallySupplied(false, at: Self.at(1))
    #expect(Self.reason(demands, 2) == nil, "it never was there")
    demands.externallySupplied(true, at: Self.at(10))
    demands.externallySupplied(false, at: Self.at(20))
    demands.externallySupplied(false, at: Self.at(70))
    #expect(Self.reason(demands, 81) == nil)
  }

  @Test("the user's off overrides it") func order() {
    var demands = Self.demands()
    demands.externallySupplied(true, at: .zero)
    demands.commanded(PersistentGnssCommand(.off, since: nil))
    #expect(Self.reason(demands, 5) == nil)
  }

  @Test("a profile that leaves it to the policy demands nothing") func evidenceOnly() {
    var demands = Self.demands(
      HybridPolicy(HybridSettings(), hasCoarseSource: true), .evidenceOnly)
    demands.externallySupplied(true, at: .zero)
    #expect(Self.reason(demands, 5) == nil)
    #expect(demands.keepsShape(at: Self.at(5)) == false)
  }

  @Test("its energy is not the battery's, and an empty budget does not stop it")
  func budget() throws {
    var settings = AdaptiveSettings()
    settings.budget.energy = 10
    var demands = Self.demands(AdaptivePolicy(settings))
    func draw(_ total: Joules) -> EnergyDraw {
      EnergyDraw(total: total, resting: 0.0001, searching: 0.08)
    }
    demands.drawn(draw(0), at: .zero, in: .unknown)
    demands.externallySupplied(true, at: Self.at(10))
    demands.drawn(draw(5000), at: Self.at(3600), in: .unknown)
    #expect(try #require(demands.budget).spent == 0)
    demands.externallySupplied(false, at: Self.at(3600))
    demands.drawn(draw(5002), at: Self.at(3610), in: .unknown)
    #expect(try #require(demands.budget).spent == 2)
    demands.drawn(draw(5100), at: Self.at(3620), in: .unknown)
    #expect(try #require(demands.budget).isSpent)
    demands.externallySupplied(true, at: Self.at(3630))
    #expect(Self.reason(demands, 3631) == "external power: continuous")
  }

  @Test("a search under it is not abandoned, and new settings keep it") func search() {
    var demands = Self.demands()
    #expect(demands.givesUpSearching(at: .zero))
    demands.externallySupplied(true, at: .zero)
    #expect(!demands.givesUpSearching(at: Self.at(1)))
    #expect(demands.keepsShape(at: Self.at(1)))
    var new = Self.demands()
    new.inherit(from: demands)
    #expect(Self.reason(new, 2) == "external power: continuous")
  }

  @Test("the tracker stays on from the ignition until its grace is over, and wakes for that")
  func tracker() {
    var settings = TrackerSettings(
      policy: .hybrid(HybridSettings()), power: PowerCapabilities(), externalPower: Self.profile())
    settings.evidenceSources = ["ignition"]
    var tracker = Tracker(settings: settings)
    _ = tracker.step(.started(clock: nil), at: .zero)
    _ = tracker.step(.command(.gnss(.off)), at: Self.at(1))
    _ = tracker.step(.command(.gnss(.auto)), at: Self.at(2))
    _ = tracker.step(.evidence(.ignition(isOn: true), from: "ignition"), at: Self.at(3))
    #expect(tracker.isListening && tracker.reason == "external power: continuous")
    _ = tracker.step(.evidence(.ignition(isOn: false), from: "ignition"), at: Self.at(100))
    #expect(tracker.isListening)
    #expect(tracker.nextWake.map { $0 <= Self.at(160) } == true)
  }
}
