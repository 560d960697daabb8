import Core

/// A part of every day by the local clock, such as "08:00-18:00"; one that ends before it begins
/// crosses midnight.
public struct DailyHours: Hashable, Sendable {
  /// Minutes after midnight, 0...1439.
  private let start: Int
  /// 1...1440.
  private let end: Int

  /// Nil: invalid text.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = Self.minute(parts[0]), let end = Self.minute(parts[1]),
      start < 1440, end > 0, start != end
    else { return nil }
    self.start = start
    self.end = end
  }

  /// "07:30" or "24:00".
  private static func minute(_ text: Substring) -> Int? {
    let digits = Array(text.utf8)
    guard digits.count == 5, digits[2] == UInt8(ascii: ":") else { return nil }
    let numbers = [0, 1, 3, 4].map { Int(digits[$0]) - Int(UInt8(ascii: "0")) }
    guard numbers.allSatisfy((0...9).contains) else { return nil }
    let minute = (numbers[0] * 10 + numbers[1]) * 60 + numbers[2] * 10 + numbers[3]
    return numbers[2] < 6 && minute <= 1440 ? minute : nil
  }

  /// - Parameter zone: the time zone of the hours.
  func contains(_ instant: UTCInstant, in zone: TimeZoneRules) -> Bool {
    let local = zone.localTime(at: instant)
    let minute = local.hour * 60 + local.minute
    return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }
}
