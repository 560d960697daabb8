/// A simple recurrence that needs no full rule.
public enum Repetition: String, Hashable, Sendable, CaseIterable {
  case none, daily, weekly, monthly, yearly

  /// Nil if it does not recur.
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
