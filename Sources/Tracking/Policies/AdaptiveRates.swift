import Core

/// The purpose of a fix attempt, and the class of its pause.
enum FixAttemptKind: CaseIterable, Hashable, Sendable {
  /// Without a cause: the board rests.
  case rest
  case underWay
  /// An arrival or a departure, or an unknown state.
  case bracket
}

/// The factors by which the adaptive policy reduces its demand for a budget.
///
/// Attempts at rest without a cause are reduced first, at the beginning together with those while
/// moving; then those while moving; last those that bracket an arrival or a departure.
struct AdaptiveRates: Hashable, Sendable {
  /// Each is a factor of the pause between two attempts, from 1 to its maximum.
  private(set) var rest = 1.0
  private(set) var underWay = 1.0
  private(set) var bracket = 1.0

  static let unlimited = AdaptiveRates()

  /// Up to here attempts while moving are reduced with those at rest: losing half the points of a
  /// track is less serious than missing half the departures.
  private static let together = 2.0
  private static let maxRest = 32.0
  private static let maxUnderWay = 8.0
  private static let maxBracket = 8.0

  private init() {}

  /// - Parameters:
  ///   - wish: the power that attempts of each kind would use without a budget.
  ///   - income: the power that they may use.
  init(wish: (FixAttemptKind) -> Watts, within income: Watts) {
    let (atRest, onWay, brackets) = (wish(.rest), wish(.underWay), wish(.bracket))
    /// The factor for a kind that is left the rest of the income.
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

/// The power that the adaptive policy would use for fix attempts without a budget, estimated from
/// those it made.
struct UnconstrainedDemand: Hashable, Sendable {
  /// A day and a half: journeys before the night still count after it.
  private static let memory: Seconds = .hours(36)
  /// The time constant for replacing the initial assumption.
  private static let beginning: Seconds = .hours(3)

  private var power: [FixAttemptKind: Watts]
  private var learnt: Seconds = 0

  /// - Parameter income: assumed to be just sufficient until more is known.
  init(income: Watts) {
    power = [.rest: income * 0.6, .underWay: income * 0.3, .bracket: income * 0.1]
  }

  subscript(kind: FixAttemptKind) -> Watts { power[kind] ?? 0 }

  /// Counts an attempt after a pause that was stretched by `factor`.
  mutating func attempted(
    _ kind: FixAttemptKind, took energy: Joules, after pause: Seconds, of factor: Double
  ) {
    guard pause > 0, pause.isFinite, energy.isFinite else { return }
    let share = min(pause / min(Self.memory, Self.beginning + learnt), 0.5)
    learnt += min(pause, Self.memory)
    for other in FixAttemptKind.allCases { power[other] = self[other] * (1 - share) }
    power[kind] = self[kind] + max(energy, 0) / pause * factor * share
  }
}
