import TestSupport
import Testing

/// Recordings whose times are in the future of the machine's clock.
@Suite struct AheadOfClockTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static func clock(_ index: Int, _ separator: String) -> String {
    let (minute, second) = (index / 6 % 60, index % 6 * 10)
    return [8 + index / 360, minute, second].map { part in
      let text = "\(part)"
      return text.count < 2 ? "0\(text)" : text
    }.joined(separator: separator)
  }

  private static let table =
    "time,lat,lon\n"
    + (0..<240).map { "2075-05-01T\(clock($0, ":"))Z,52.1,5.1\n" }.joined()
  private static let sentences = (0..<240).map {
    TraceFileTests.sentence(
      "GNRMC,\(clock($0, "")).00,A,5206.0000,N,00506.0000,E,0.1,,010575,,,A")
  }.joined()

  @Test(
    "times in the future are reported with their span, of traces and receiver data",
    arguments: [("ahead.csv", table), ("ahead.nmea", sentences)])
  func ahead(name: String, text: String) throws {
    try scratch.write(text, to: name)
    let found = try ReplayedVisits(["replay"], scratch.file(name), in: scratch)
    #expect(
      found.messages.contains("its times go from 2075-05-01T08:00:00Z to 2075-05-01T08:39:50Z: "),
      "\(found.messages)")
    #expect(found.messages.contains("years ahead of this machine's clock"))
  }
}
