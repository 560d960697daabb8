import Core

/// How the adaptive policy keeps its budget: what its looks have taken, and by how much it
/// stretches the pauses between them for that.
struct AdaptiveBudgetController: Sendable {
  var budget: EnergyBudget
  private var wish: UnconstrainedDemand
  /// As it was at the last look: a pause that has begun does not change with every joule.
  private(set) var pace = AdaptiveRates.unlimited
  /// What the next look is for, as far as was known when something happened last.
  private var kind = FixAttemptKind.bracket
  /// At the last look.
  private var last: (at: BootInstant, total: Joules)?

  init(_ budget: EnergyBudget) {
    self.budget = budget
    wish = UnconstrainedDemand(income: budget.daily / .days(1))
  }

  /// The pace as it would be if it looked now.
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
