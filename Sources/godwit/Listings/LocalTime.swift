import ArgumentParser
import Glibc
import Core

/// A time in this machine's time zone, in a form for people.
struct LocalTime: Sendable {
  let instant: UTCInstant

  /// The help text of an option with a time.
  static func help(_ text: String) -> ArgumentHelp {
    ArgumentHelp(
      "\(text) Write 2030-06-01, 2030-06-01T18:00, or with Z or +02:00; without a zone it is local "
        + "time.", valueName: "time")
  }

  /// Parses the value of an option.
  static func read(_ argument: String) throws -> LocalTime {
    guard let time = LocalTime(argument) else {
      throw ValidationError(
        "write a date such as 2030-06-01 or 2030-06-01T18:00, which is local time, or with Z or "
          + "+02:00")
    }
    return time
  }

  private init?(_ argument: String) {
    // If the text parses with a zone appended, it has none itself.
    let isDate = argument.utf8.count == 10
    if let civil = ISO8601.parse(isDate ? argument + "T00:00Z" : argument + "Z") {
      guard let local = Self.instant(CivilTime(civil)) else { return nil }
      instant = local
    } else if let exact = ISO8601.parse(argument) {
      instant = exact
    } else {
      return nil
    }
  }

  /// `2026-05-01 14:03:20` in this machine's time zone; `2026-10-25 02:30:00 CEST` in the hour that
  /// is repeated when clocks go back.
  static func text(_ instant: UTCInstant) -> String {
    let seconds = time_t(instant.nanoseconds / 1_000_000_000)
    guard let fields = fields(seconds), let shown = civil(fields).instant else {
      return ISO8601.text(instant, digits: 0)
    }
    let text = String(ISO8601.text(shown, digits: 0).dropLast()).replacing(at: 10, with: " ")
    guard comesTwice(seconds, fields), let zone = fields.tm_zone else { return text }
    return "\(text) \(String(cString: zone))"
  }

  private static func fields(_ seconds: time_t) -> tm? {
    var seconds = seconds
    var fields = tm()
    return localtime_r(&seconds, &fields) == nil ? nil : fields
  }

  private static func civil(_ fields: tm) -> CivilTime {
    CivilTime(
      year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday),
      hour: Int(fields.tm_hour), minute: Int(fields.tm_min), second: min(Int(fields.tm_sec), 59))
  }

  /// Whether a clock change within half a day makes another instant show the same time.
  private static func comesTwice(_ seconds: time_t, _ shown: tm) -> Bool {
    [-43_200, 43_200].contains { distance in
      guard let near = fields(seconds + distance), near.tm_gmtoff != shown.tm_gmtoff else {
        return false
      }
      return fields(seconds + shown.tm_gmtoff - near.tm_gmtoff)?.tm_gmtoff == near.tm_gmtoff
    }
  }

  private static func instant(_ civil: CivilTime) -> UTCInstant? {
    var fields = tm()
    fields.tm_year = Int32(civil.year - 1900)
    fields.tm_mon = Int32(civil.month - 1)
    fields.tm_mday = Int32(civil.day)
    fields.tm_hour = Int32(civil.hour)
    fields.tm_min = Int32(civil.minute)
    fields.tm_sec = Int32(civil.second)
    fields.tm_isdst = -1
    let seconds = mktime(&fields)
    guard seconds != -1 else { return nil }
    return UTCInstant(nanoseconds: Int64(seconds) * 1_000_000_000 + Int64(civil.nanosecond))
  }
}

extension String {
  fileprivate func replacing(at offset: Int, with character: Character) -> String {
    var text = self
    let index = text.index(text.startIndex, offsetBy: offset)
    text.replaceSubrange(index...index, with: String(character))
    return text
  }
}
