import Core
import TestSupport
import Testing

@testable import Records

/// Parses calendars as strictly as RFC 5545 requires.
@Suite struct CalendarReadingTests {
  /// The properties between BEGIN and END of the event, by name; nil if they violate section 3.1 or
  /// 3.6.
  private static func event(_ text: String) -> [String: String]? {
    guard text.utf8.count > 2, text.hasSuffix("\r\n") else { return nil }
    let physical = text.dropLast().replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    guard physical.allSatisfy({ $0.utf8.count <= 75 && !$0.isEmpty && !$0.utf8.contains(13) })
    else { return nil }
    var lines: [String] = []
    for line in physical {
      if line.unicodeScalars.first == " " {
        guard !lines.isEmpty else { return nil }
        lines[lines.count - 1].unicodeScalars += line.unicodeScalars.dropFirst()
      } else {
        lines.append(String(line))
      }
    }
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Godwit//Godwit//EN", "BEGIN:VEVENT"]
    guard Array(lines.prefix(4)) == head, lines.suffix(2) == ["END:VEVENT", "END:VCALENDAR"] else {
      return nil
    }
    var members: [String: String] = [:]
    for line in lines.dropFirst(4).dropLast(2) {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let name = String(line[..<colon])
      guard name.allSatisfy({ $0.isASCII && $0.isUppercase }), members[name] == nil else {
        return nil
      }
      members[name] = String(line[line.index(after: colon)...])
    }
    return members
  }

  /// Section 3.3.11; nil if a character is present that must be escaped.
  private static func unescaped(_ text: String) -> String? {
    var result = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        guard "\\,;nN".unicodeScalars.contains(scalar) else { return nil }
        result.unicodeScalars.append("nN".unicodeScalars.contains(scalar) ? "\n" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        guard scalar != ",", scalar != ";" else { return nil }
        result.unicodeScalars.append(scalar)
      }
    }
    return isEscaped ? nil : result
  }

  @Test("any event is read as it was", arguments: 1...200 as ClosedRange<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    func text(_ most: Int) -> String {
      let parts = ["a", "Ä", "😀", ",", ";", ":", "\\", "\\n", "\n", " ", "\"", "日本", "e\u{301}"]
      let length = Int.random(in: 1...most, using: &random)
      return (0..<length).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
    }
    var item = ContentItem(
      id: UniqueID.made(using: &random), title: "t" + text(80), type: "x" + text(10))
    item.text = text(300)
    item.uri = "https://example.org/" + String(repeating: "p", count: 100)
    let start = UTCInstant(seconds: Double(Int.random(in: 0...4_000_000_000, using: &random)))
    let length = Seconds(Double(Int.random(in: 0...3, using: &random)) * 1800)
    item.happening = .init(from: start, until: start + length, venue: text(40))
    let calendar = try ContentCalendar.text(of: item, at: UTCInstant(seconds: 0))
    let event = try #require(Self.event(calendar), "\(calendar)")
    #expect(event["UID"] == item.id.description && event["DTSTAMP"] == "19700101T000000Z")
    #expect(event["SUMMARY"].flatMap(Self.unescaped) == item.title)
    #expect(event["DESCRIPTION"].flatMap(Self.unescaped) == item.text)
    #expect(event["LOCATION"].flatMap(Self.unescaped) == item.happening?.venue)
    #expect(event["CATEGORIES"].flatMap(Self.unescaped) == item.type)
    #expect(event["URL"] == item.uri)
    for (name, instant) in [("DTSTART", start), ("DTEND", start + length)] {
      let written = event[name].map { text in
        let digits = text.filter(\.isNumber)
        return digits.count == 14 && text.last == "Z" ? digits : ""
      }
      let expected = ISO8601.text(instant, digits: 0).filter(\.isNumber)
      #expect(written == (name == "DTEND" && length == 0 ? nil : expected), "\(name)")
    }
  }
}
