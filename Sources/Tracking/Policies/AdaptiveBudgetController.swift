import Core

/// How the adaptive policy keeps its budget: the energy that its fix attempts have used, and the
/// factors by which it therefore stretches the pauses.
struct AdaptiveBudgetController: Sendable {
  var budget: EnergyBudget
  private var wish: UnconstrainedDemand
  /// As of the last attempt: a pause that has begun does not change with every joule.
  private(set) var pace = AdaptiveRates.unlimited
  /// The purpose of the next attempt, as of the last event.
  private var kind = FixAttemptKind.bracket
  /// At the last attempt.
  private var last: (at: BootInstant, total: Joules)?

  init(_ budget: EnergyBudget) {
    self.budget = budget
    wish = UnconstrainedDemand(income: budget.daily / .days(1))
  }

  /// The factors for an attempt made now.
  var nextPace: AdaptiveRates { AdaptiveRates(wish: { wish[$0] }, within: budget.income) }

  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant, before kind: FixAttemptKind) {
    budget.drawn(draw, at: now)
    self.kind = kind
  }

  mutating func looked(at now: BootInstant) {
    guard let draw = budget.draw else { return }
    if let last {
      let pause = now - last.at
      wish.looked(
        kind, took: draw.total - last.total - draw.resting * pause, after: pause, of: pace[kind])
    }
    last = (now, draw.total)
    pace = nextPace
  }
}
