import Records
import Core
import Testing
import Tracking

/// A receiver with retained navigation data beside the tracker: the true energy of an idle mode.
final class IdleEnergyBench {
  static let model = ReceiverEnergyModel(
    supply: 3.3, acquiring: 0.032, tracking: 0.029, sleeping: 0.000_6, off: 0.000_015,
    coldStart: 26, warmStart: 20, hotStart: 2)

  let bench: TrackerBench
  let power: PowerCapabilities
  private(set) var energy: Joules = 0
  private var lastTracked: BootInstant?
  private var searchEnds: BootInstant?
  private var state = PowerState.off
  private var seen = 0

  init(_ power: PowerCapabilities, policy: PolicySettings) {
    self.power = power
    bench = TrackerBench(TrackerSettings(policy: policy, receiver: Self.model, power: power))
    bench.send(.started(clock: nil))
    follow()
  }

  /// Carries out the requested switching.
  private func follow() {
    for (at, effect) in bench.effects[seen...] {
      guard case .power(let next, _) = effect else { continue }
      if next == .on, state != .on { searchEnds = at + searchTime(at) }
      if next == .off, !power.hasBackup { lastTracked = nil }
      state = next
    }
    seen = bench.effects.count
  }

  private func searchTime(_ now: BootInstant) -> Seconds {
    guard let lastTracked else { return Self.model.coldStart }
    return now - lastTracked <= .hours(2) ? Self.model.hotStart : Self.model.warmStart
  }

  private func draws() -> Amperes {
    switch state {
    case .off: Self.model.off
    case .sleep: Self.model.sleeping
    case .on:
      searchEnds.map { bench.now < $0 } ?? false ? Self.model.acquiring : Self.model.tracking
    }
  }

  /// A life of nights and days: it walks from 8 to 18 o'clock, indoors every third hour.
  func run(until end: BootInstant) {
    while bench.now < end {
      let next = state == .on ? bench.now + 1 : min(max(bench.wake ?? end, bench.now + 1), end)
      energy += draws() * Self.model.supply * (next - bench.now)
      bench.now = next
      if state == .on { speak() } else { bench.send(.woke) }
      follow()
    }
  }

  private func speak() {
    let time = (bench.now - .zero).value
    let hour = Int(time / 3600) % 24
    let isIndoors = hour % 3 == 2
    if isIndoors, let ends = searchEnds, bench.now < ends { searchEnds = ends + 1 }
    let hasFix = searchEnds.map { bench.now >= $0 } ?? false
    if hasFix, !isIndoors { lastTracked = bench.now }
    let walked = (8..<18).contains(hour) ? time.truncatingRemainder(dividingBy: 3600) : 0
    bench.send(.fix(bench.fix(at: hasFix ? TrackerBench.position(metresEast: walked) : nil)))
    if let wake = bench.wake, wake <= bench.now { bench.send(.woke) }
  }
}

@Suite struct IdleEnergyTests {
  static func week(_ power: PowerCapabilities, _ policy: PolicySettings) -> Joules {
    let bench = IdleEnergyBench(power, policy: policy)
    bench.run(until: .zero + .days(7))
    return bench.energy
  }

  /// A receiver that can sleep never uses more energy over a week than the same one that can only
  /// be cut off: where the cut is cheaper, it is cut.
  @Test(
    "being able to sleep never costs more energy",
    arguments: [
      PolicySettings.hybrid(HybridSettings()), .periodic(PeriodicSettings(interval: 20)),
      .periodic(PeriodicSettings(interval: 300)), .periodic(PeriodicSettings(interval: 10_000)),
    ])
  func sleepingNeverCostsMore(policy: PolicySettings) {
    for hasBackup in [true, false] {
      let cut = Self.week(PowerCapabilities(hasBackup: hasBackup), policy)
      let both = Self.week(PowerCapabilities(canSleep: true, hasBackup: hasBackup), policy)
      #expect(both <= cut * 1.005, "\(both) against \(cut), backup \(hasBackup)")
    }
  }

  /// Without a backup supply, sleep makes the schedule worthwhile.
  @Test("sleeping saves much where a cut erases the navigation data")
  func sleepingPaysWhereACutForgets() {
    let policy = PolicySettings.hybrid(HybridSettings())
    let cut = Self.week(PowerCapabilities(hasBackup: false), policy)
    let both = Self.week(PowerCapabilities(canSleep: true, hasBackup: false), policy)
    #expect(both < cut * 0.6, "\(both) against \(cut)")
  }
}
