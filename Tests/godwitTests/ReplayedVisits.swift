import Foundation
import Core
import TestSupport
import Testing

/// The result of `replay` or `simulate` on a file, as users see it.
struct ReplayedVisits {
  let exitCode: Int32
  let messages: String
  private let store: String
  /// The JSON summary; nil if it failed.
  private(set) var summary: JSONValue?
  /// Arrival and the earliest departure; nil for an open stay.
  private(set) var visits: [(arrival: UTCInstant, departure: UTCInstant?)] = []

  init(_ words: [String], _ trace: String, in scratch: ScratchFolder) throws {
    store = scratch.file("\(UUID().uuidString).gpkg")
    let outcome = try Program.run(
      [words[0], trace, "--store", store, "--json"] + words.dropFirst())
    exitCode = outcome.exitCode
    messages = outcome.messages
    guard exitCode == 0 else { return }
    summary = try JSONValue(parsing: outcome.output.trimmingCharacters(in: .whitespacesAndNewlines))
    visits = try list().compactMap { row in
      func time(_ key: String) -> UTCInstant? { row[key]?.string.flatMap { ISO8601.parse($0) } }
      return time("arrival").map { ($0, time("departure_earliest")) }
    }
  }

  /// The gaps as `visits --gaps` lists them.
  func gaps() throws -> [JSONValue] { try list(["--gaps"]) }

  private func list(_ words: [String] = []) throws -> [JSONValue] {
    let list = try Program.run(["visits", "--json", "--store", store] + words).output
    return try JSONValue(parsing: list.trimmingCharacters(in: .whitespacesAndNewlines)).array ?? []
  }

  /// `05-01 08:00-08:20`, with a `-` at the end of an open stay.
  var text: [String] {
    visits.map { visit in
      let arrival = ISO8601.text(visit.arrival).dropFirst(5).prefix(11)
      let departure = visit.departure.map { ISO8601.text($0).dropFirst(11).prefix(5) } ?? ""
      return "\(arrival.replacingOccurrences(of: "T", with: " "))-\(departure)"
    }
  }

  /// Whether the visits equal these, written as in `text`, each time within two minutes. A stay at
  /// the end of a trace may be open, and one may end on the next day.
  func are(_ expected: [String], year: Int = 2026) -> Bool {
    guard expected.count == visits.count else { return false }
    return zip(visits, expected).allSatisfy { visit, expected in
      let parts = expected.split(separator: "-")
      let day = "\(year)-\(parts[0])-\(parts[1].prefix(2))T"
      guard let arrival = ISO8601.parse(day + parts[1].dropFirst(3) + ":00Z"),
        (visit.arrival - arrival).magnitude <= 120
      else { return false }
      guard let departure = visit.departure, parts.count > 2 else { return true }
      guard var end = ISO8601.parse(day + parts[2] + ":00Z") else { return false }
      if end < arrival { end = end + .days(1) }
      return (departure - end).magnitude <= 120
    }
  }
}
