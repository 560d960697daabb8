import Core

/// What a look is for, and what its pause is counted as.
enum FixAttemptKind: CaseIterable, Hashable, Sendable {
  /// Nothing suggests it: the board rests.
  case rest
  case underWay
  /// An arrival or a departure, or not known yet.
  case bracket
}

/// By how much the adaptive policy asks less than it would without a budget.
///
/// The looks at rest that nothing suggests are the first to be fewer, with those on the way at
/// first; then those on the way; last those that bracket an arrival or a departure.
struct AdaptiveRates: Hashable, Sendable {
  /// Each is a factor of the pause between two looks, from 1 to its largest.
  private(set) var rest = 1.0
  private(set) var underWay = 1.0
  private(set) var bracket = 1.0

  static let unlimited = AdaptiveRates()

  /// Looks on the way are stretched with those at rest up to here: half the points of a track are
  /// missed less than half the departures.
  private static let together = 2.0
  private static let maxRest = 32.0
  private static let maxUnderWay = 8.0
  private static let maxBracket = 8.0

  private init() {}

  /// - Parameters:
  ///   - wish: what the looks of each kind would take without a budget.
  ///   - income: what they may take.
  init(wish: (FixAttemptKind) -> Watts, within income: Watts) {
    let (atRest, onWay, brackets) = (wish(.rest), wish(.underWay), wish(.bracket))
    /// The factor for something of which only the rest of the income is left.
    func factor(_ power: Watts, beside others: Watts, to limit: Double) -> Double {
      let left = income - others
      guard power > 0, left * limit > power else { return power > 0 ? limit : 1 }
      return max(power / left, 1)
    }
    let common = factor(atRest + onWay, beside: brackets, to: Self.together)
    rest = common
    underWay = common
    guard common >= Self.together else { return }
    rest = factor(atRest, beside: brackets + onWay / underWay, to: Self.maxRest)
    rest = max(rest, Self.together)
    underWay = factor(onWay, beside: brackets + atRest / rest, to: Self.maxUnderWay)
    underWay = max(underWay, Self.together)
    bracket = factor(
      brackets, beside: atRest / rest + onWay / underWay, to: Self.maxBracket)
  }

  subscript(kind: FixAttemptKind) -> Double {
    switch kind {
    case .rest: rest
    case .underWay: underWay
    case .bracket: bracket
    }
  }
}

/// What the adaptive policy would spend on its looks if it had no budget, as far as those that it
/// took have shown.
struct UnconstrainedDemand: Hashable, Sendable {
  /// A day and a half: what was spent on journeys before the night still counts after it.
  private static let memory: Seconds = .hours(36)
  /// What was assumed at first is forgotten so fast.
  private static let beginning: Seconds = .hours(3)

  private var power: [FixAttemptKind: Watts]
  private var learnt: Seconds = 0

  /// - Parameter income: assumed to be just enough until something is known.
  init(income: Watts) {
    power = [.rest: income * 0.6, .underWay: income * 0.3, .bracket: income * 0.1]
  }

  subscript(kind: FixAttemptKind) -> Watts { power[kind] ?? 0 }

  /// A look has come after a pause that was stretched by that factor.
  mutating func looked(
    _ kind: FixAttemptKind, took energy: Joules, after pause: Seconds, of factor: Double
  ) {
    guard pause > 0, pause.isFinite, energy.isFinite else { return }
    let share = min(pause / min(Self.memory, Self.beginning + learnt), 0.5)
    learnt += min(pause, Self.memory)
    for other in FixAttemptKind.allCases { power[other] = self[other] * (1 - share) }
    power[kind] = self[kind] + max(energy, 0) / pause * factor * share
  }
}
