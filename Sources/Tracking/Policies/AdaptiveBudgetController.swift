import Core

/// How the adaptive policy keeps its budget: the energy that its fix attempts have used, and the
/// factors by which it therefore stretches the pauses.
struct AdaptiveBudgetController: Sendable {
  var budget: EnergyBudget
  private var unconstrained: UnconstrainedDemand
  /// As of the last attempt: a pause that has begun does not change with every joule.
  private(set) var rates = AdaptiveRates.unlimited
  /// The purpose of the next attempt, as of the last event.
  private var kind = FixAttemptKind.bracket
  /// At the last attempt.
  private var last: (at: BootInstant, total: Joules)?

  init(_ budget: EnergyBudget) {
    self.budget = budget
    unconstrained = UnconstrainedDemand(income: budget.daily / .days(1))
  }

  /// The factors for an attempt made now.
  var nextPace: AdaptiveRates { AdaptiveRates(wish: { unconstrained[$0] }, within: budget.income) }

  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant, before kind: FixAttemptKind) {
    budget.drawn(draw, at: now)
    self.kind = kind
  }

  mutating func attempted(at now: BootInstant) {
    guard let draw = budget.draw else { return }
    if let last {
      let pause = now - last.at
      unconstrained.attempted(
        kind, took: draw.total - last.total - draw.resting * pause, after: pause, of: rates[kind])
    }
    last = (now, draw.total)
    rates = nextPace
  }
}
