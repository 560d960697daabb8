import Core
import Testing

/// A schedule and its first occurrences, computed by another implementation.
struct ScheduleSample: CustomTestStringConvertible {
  let zone: String
  let start: String
  let rule: String
  let exceptions: String
  /// Whether there are no more than those given.
  let ends: Bool
  let begins: [String]

  init(
    _ zone: String, _ start: String, _ rule: String, except exceptions: String = "",
    ends: Bool = false, _ begins: String
  ) {
    self.zone = zone
    self.start = start
    self.rule = rule
    self.exceptions = exceptions
    self.ends = ends
    self.begins = begins.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  static let all = RuleSamples.all + ZoneRuleSamples.all

  var testDescription: String { "\(rule) from \(start) in \(zone)" }

  /// As lines of iCalendar.
  func calendar(duration: String = "PT1H") -> String {
    func property(_ name: String, _ value: String) -> String {
      guard zone == "UTC" else { return "\(name);TZID=\(zone):\(value)\r\n" }
      return "\(name):" + value.split(separator: ",").map { "\($0)Z" }.joined(separator: ",")
        + "\r\n"
    }
    return property("DTSTART", start) + "DURATION:\(duration)\r\nRRULE:\(rule)\r\n"
      + (exceptions.isEmpty ? "" : property("EXDATE", exceptions))
  }

  func schedule(duration: String = "PT1H") throws -> Schedule {
    try Schedule(calendar: calendar(duration: duration), local: .utc) {
      TZifSamples.find($0)
    }
  }
}

extension Schedule {
  /// The begins of the first occurrences, queried one after the other.
  func begins(_ count: Int, after instant: UTCInstant = .distantPast) -> [UTCInstant] {
    var begins: [UTCInstant] = []
    var last = instant
    while begins.count < count, let next = next(after: last) {
      begins.append(next.begin)
      last = next.begin
    }
    return begins
  }
}

extension UTCInstant {
  static let distantPast = UTCInstant(nanoseconds: .min)

  init(second: Int) { self.init(nanoseconds: Int64(second) * 1_000_000_000) }

  /// `20260501T060000Z`
  var calendarText: String {
    let civil = CivilTime(self)
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(civil.year)" + digits(civil.month) + digits(civil.day) + "T" + digits(civil.hour)
      + digits(civil.minute) + digits(civil.second) + "Z"
  }
}

extension CivilTime {
  /// `20260501T080000`
  init(calendar text: some StringProtocol) throws {
    let digits = text.filter { $0 != "T" }
    try #require(digits.count == 14)
    func number(_ from: Int, _ count: Int) throws -> Int {
      try #require(Int(String(digits.dropFirst(from).prefix(count))))
    }
    self.init(
      year: try number(0, 4), month: try number(4, 2), day: try number(6, 2),
      hour: try number(8, 2), minute: try number(10, 2), second: try number(12, 2))
  }
}
