import Quantities

/// How the adaptive policy keeps its budget: what its looks have taken, and by how much it
/// stretches the pauses between them for that.
struct AdaptiveThrift: Sendable {
  var budget: EnergyBudget
  private var wish: AdaptiveWish
  /// As it was at the last look: a pause that has begun does not change with every joule.
  private(set) var pace = AdaptivePace.unlimited
  /// What the next look is for, as far as was known when something happened last.
  private var kind = LookKind.bracket
  /// At the last look.
  private var last: (at: BootInstant, total: Joules)?

  init(_ budget: EnergyBudget) {
    self.budget = budget
    wish = AdaptiveWish(income: budget.daily / .days(1))
  }

  /// The pace as it would be if it looked now.
  var nextPace: AdaptivePace { AdaptivePace(wish: { wish[$0] }, within: budget.income) }

  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant, before kind: LookKind) {
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
