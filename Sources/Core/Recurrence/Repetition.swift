/// How often something recurs, where a word is enough and nobody writes a rule.
public enum Repetition: String, Hashable, Sendable, CaseIterable {
  case none, daily, weekly, monthly, yearly

  /// Nil where it does not recur.
  public var rule: RecurrenceRule? {
    switch self {
    case .none: nil
    case .daily: .daily
    case .weekly: .weekly
    case .monthly: .monthly
    case .yearly: .yearly
    }
  }
}
