import Core

/// What one state of the receiver drew in the runs of a condition.
public struct StateFigures: Sendable {
  public let state: String
  /// Of all runs together.
  public let charge: StateCharge
  /// Means, in amperes, of the runs in which it was measured.
  public let currents: RunFigures
}

extension TestedCondition {
  /// The runs of which a daemon told.
  private var told: [(run: RecordedRun, events: RecordedRun.Told)] {
    runs.compactMap { run in run.events.map { (run, $0) } }
  }

  /// By the state's name; empty where nobody told of any.
  public var states: [StateFigures] {
    var charges: [String: [StateCharge]] = [:]
    for (run, events) in told {
      for (state, var charge) in events.states {
        if run.drawn.energy.value.isNaN { charge.energy = Joules(.nan) }
        charges[state, default: []].append(charge)
      }
    }
    return charges.sorted { $0.key < $1.key }.map { state, parts in
      StateFigures(
        state: state, charge: parts.reduce(StateCharge(), +),
        currents: RunFigures(parts.compactMap { $0.meanCurrent?.value }))
    }
  }

  /// What those runs hold beside their states: what flowed at the changes themselves, or is on the
  /// other side of them for the straight line between two readings. Nil where nobody told of any
  /// state.
  public var rest: StateCharge? {
    guard !states.isEmpty else { return nil }
    var rest = StateCharge()
    for (run, events) in told {
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

  /// Believed fixes; nil where nobody told.
  public var fixes: Int? { told.isEmpty ? nil : told.reduce(0) { $0 + $1.events.fixes } }
  /// Visits that were told of, in each run for itself; nil where nobody told.
  public var visits: Int? { told.isEmpty ? nil : told.reduce(0) { $0 + $1.events.visits } }

  /// Times to first fix of the searches that led to one, sorted.
  public var timesToFirstFix: [Seconds] {
    searches.compactMap { if case .found(let time) = $0 { time } else { nil } }.sorted()
  }

  public var searchesGivenUp: Int { searches.count { $0 == .gaveUp } }

  private var searches: [Search] { told.flatMap(\.events.searches) }

  /// In joules: all that the monitor measured over all fixes, from run to run.
  public var energyPerFix: RatioOfSums { energy { $0.fixes } }
  public var energyPerVisit: RatioOfSums { energy { $0.visits } }

  private func energy(per count: (RecordedRun.Told) -> Int) -> RatioOfSums {
    RatioOfSums(
      told.map { .init($0.run.drawn.energy.value, over: Double(count($0.events))) })
  }
}
