import Core
import TestSupport

/// Random rules from a seed.
enum RandomRule {
  /// Nil if the drawn parts exclude each other.
  static func rule(_ random: inout SplitMix) -> RecurrenceRule? {
    let frequency = RecurrenceRule.Frequency.allCases.randomElement(using: &random)!
    var selection = RecurrenceRule.Selection()
    selection.months = list(&random, 1...12, negative: false)
    selection.monthDays = list(&random, 1...31)
    if frequency == .yearly, Bool.random(using: &random) {
      selection.weeks = list(&random, 1...53)
      selection.yearDays = list(&random, 1...366)
    }
    if Int.random(in: 0...1, using: &random) == 0 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let weekday = Weekday.allCases.randomElement(using: &random)!
        let ordinal = Int.random(in: -5...5, using: &random)
        let isPlain = frequency == .daily || frequency == .weekly || ordinal == 0
        selection.days.append(RecurrenceRule.Day(weekday, ordinal: isPlain ? nil : ordinal))
      }
    }
    if Int.random(in: 0...3, using: &random) == 0 { selection.positions = list(&random, 1...4) }
    return try? RecurrenceRule(
      frequency, interval: .random(in: 1...4, using: &random), end: end(&random),
      selecting: selection, weekStart: Weekday.allCases.randomElement(using: &random)!)
  }

  private static func end(_ random: inout SplitMix) -> RecurrenceRule.End {
    let civil = CivilTime(
      year: .random(in: 2026...2034, using: &random), month: .random(in: 1...12, using: &random),
      day: .random(in: 1...28, using: &random), hour: .random(in: 0...23, using: &random))
    return switch Int.random(in: 0...7, using: &random) {
    case 0: .count(.random(in: 1...40, using: &random))
    case 1: .date(civil)
    case 2: .localTime(civil)
    case 3: .instant(civil.instant!)
    default: .never
    }
  }

  /// Empty two times out of three.
  private static func list(
    _ random: inout SplitMix, _ range: ClosedRange<Int>, negative: Bool = true
  ) -> [Int] {
    guard Int.random(in: 0...2, using: &random) == 0 else { return [] }
    return (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let number = Int.random(in: range, using: &random)
      return negative && Bool.random(using: &random) ? -number : number
    }
  }
}
