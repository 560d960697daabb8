import Core

/// A calendar with one event, as calendar programs import it (RFC 5545).
public enum ContentCalendar {
  /// - Parameters:
  ///   - now: the time at which the file is made, for DTSTAMP (3.8.7.2).
  ///   - place: the name of the place, used unless the item has a venue.
  ///   - position: the place's position, for GEO.
  /// - Throws: if the item has no time.
  public static func text(
    of item: ContentItem, at now: UTCInstant, place: String? = nil, position: Coordinate? = nil
  ) throws(ContentRefusal) -> String {
    guard let happening = item.happening else {
      throw ContentRefusal("it has no time, so it cannot be a calendar event")
    }
    var lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Godwit//Godwit//EN",
      "BEGIN:VEVENT", "UID:\(item.id)", "DTSTAMP:\(time(now))",
      "DTSTART:\(time(happening.start))",
    ]
    // An event of zero length has no DTEND, which would have to be later (3.8.2.2).
    if time(happening.end) > time(happening.start) { lines.append("DTEND:\(time(happening.end))") }
    lines.append("SUMMARY:\(escaped(item.title))")
    if let text = item.text { lines.append("DESCRIPTION:\(escaped(text))") }
    let location = happening.venue ?? place
    if let location { lines.append("LOCATION:\(escaped(location))") }
    if let position {
      let latitude = FixedDecimal.text(position.latitude.value, digits: 6)
      let longitude = FixedDecimal.text(position.longitude.value, digits: 6)
      lines.append("GEO:\(latitude);\(longitude)")
    }
    if let uri = item.uri { lines.append("URL:\(uri)") }
    if !item.type.isEmpty { lines.append("CATEGORIES:\(escaped(item.type))") }
    lines += ["END:VEVENT", "END:VCALENDAR"]
    return lines.map { folded($0) + "\r\n" }.joined()
  }

  /// Form 2, with UTC (3.3.5).
  private static func time(_ instant: UTCInstant) -> String {
    ISO8601.text(instant, digits: 0).filter { $0 != "-" && $0 != ":" }
  }

  /// 3.3.11. Other control characters than line breaks are not allowed (3.1).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\u{0}"..."\u{1f}", "\u{7f}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Lines of 75 octets at most, cut between characters (3.1).
  private static func folded(_ line: String) -> String {
    var result = ""
    var room = 75
    for character in line.unicodeScalars {
      let size = String(character).utf8.count
      if size > room {
        result += "\r\n "
        room = 74
      }
      result.unicodeScalars.append(character)
      room -= size
    }
    return result
  }
}
