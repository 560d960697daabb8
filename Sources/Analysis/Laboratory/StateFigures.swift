import Core

/// The draw of one state of the receiver in the runs of a condition.
public struct StateFigures: Sendable {
  public let state: String
  /// The sum over all runs.
  public let charge: StateCharge
  /// Means, in amperes, of the runs in which it was measured.
  let currents: RunStatistics
}

extension TestedCondition {
  /// The runs with events of a daemon.
  private var runsWithEvents: [(run: RecordedRun, events: RecordedRun.RunSummary)] {
    runs.compactMap { run in run.events.map { (run, $0) } }
  }

  /// By the state's name; empty without events.
  public var states: [StateFigures] {
    var charges: [String: [StateCharge]] = [:]
    for (run, events) in runsWithEvents {
      for (state, var charge) in events.states {
        if run.drawn.energy.value.isNaN { charge.energy = Joules(.nan) }
        charges[state, default: []].append(charge)
      }
    }
    return charges.sorted { $0.key < $1.key }.map { state, parts in
      StateFigures(
        state: state, charge: parts.reduce(StateCharge(), +),
        currents: RunStatistics(parts.compactMap { $0.meanCurrent?.value }))
    }
  }

  /// The remainder of those runs outside their states: the charge at the changes themselves, or
  /// beyond them by the linear interpolation between two readings. Nil without events.
  public var rest: StateCharge? {
    guard !states.isEmpty else { return nil }
    var rest = StateCharge()
    for (run, events) in runsWithEvents {
      rest.measured += run.drawn.duration
      rest.charge += run.drawn.charge
      rest.energy += run.drawn.energy
      for (_, charge) in events.states {
        rest.measured -= charge.measured
        rest.charge -= charge.charge
        rest.energy -= charge.energy
      }
    }
    return rest
  }

  /// Accepted fixes; nil without events.
  public var fixes: Int? {
    runsWithEvents.isEmpty ? nil : runsWithEvents.reduce(0) { $0 + $1.events.fixes }
  }
  /// Reported visits, counted in each run separately; nil without events.
  public var visits: Int? {
    runsWithEvents.isEmpty ? nil : runsWithEvents.reduce(0) { $0 + $1.events.visits }
  }

  /// Times to first fix of the searches that led to one, sorted.
  var timesToFirstFix: [Seconds] {
    searches.compactMap { if case .found(let time) = $0 { time } else { nil } }.sorted()
  }

  var searchesGivenUp: Int { searches.count { $0 == .gaveUp } }

  private var searches: [Search] { runsWithEvents.flatMap(\.events.searches) }

  /// In joules: all measured energy divided by all fixes, with the scatter from run to run.
  public var energyPerFix: RatioOfSums { energy { $0.fixes } }
  var energyPerVisit: RatioOfSums { energy { $0.visits } }

  private func energy(per count: (RecordedRun.RunSummary) -> Int) -> RatioOfSums {
    RatioOfSums(
      runsWithEvents.map { .init($0.run.drawn.energy.value, over: Double(count($0.events))) })
  }
}
