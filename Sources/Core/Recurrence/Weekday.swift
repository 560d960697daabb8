/// A day of the week.
public enum Weekday: Int, Hashable, Sendable, CaseIterable, Comparable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  public static func < (a: Weekday, b: Weekday) -> Bool { a.rawValue < b.rawValue }

  /// Two letters, as in BYDAY (RFC 5545 section 3.3.10).
  var code: String {
    switch self {
    case .monday: "MO"
    case .tuesday: "TU"
    case .wednesday: "WE"
    case .thursday: "TH"
    case .friday: "FR"
    case .saturday: "SA"
    case .sunday: "SU"
    }
  }

  init?(code: some StringProtocol) {
    guard let day = Self.allCases.first(where: { code == $0.code }) else { return nil }
    self = day
  }

  /// - Parameter day: since 1970-01-01, which was a Thursday.
  init(ofDay day: Int) {
    self = Self.allCases[(day + 3).flooredRemainder(by: 7)]
  }

  /// The number of days from the given weekday to this one, 0...6.
  func days(after first: Weekday) -> Int { (rawValue - first.rawValue).flooredRemainder(by: 7) }
}
