import Core

/// The date in HTTP, "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, 5.6.7). The two older formats are
/// obsolete.
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  static func instant(_ text: String) -> UTCInstant? {
    guard text.utf8.count == 29 else { return nil }
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
      let day = UInt8(words[1]), let year = UInt16(words[3])
    else { return nil }
    let clock = words[4].split(separator: ":").map { UInt8($0) }
    guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2] else {
      return nil
    }
    let time = CivilTime(
      year: Int(year), month: month + 1, day: Int(day), hour: Int(hour), minute: Int(minute),
      second: Int(second))
    return time.instant
  }
}
