import TestSupport
import Testing

/// The messages of `simulate --stays` on stays that do not fit.
@Suite struct ToldStaysTests {
  @Test("stays outside of the trace are counted, and a missing zone is reported")
  func told() throws {
    let scratch = try ScratchFolder()
    try ShortTrace.write(to: "a.csv", in: scratch)
    try scratch.write(
      """
      arrival,departure
      2026-05-03T08:00:00Z,2026-05-03T08:45:00Z
      2026-05-04 08:00:00,2026-05-04 08:45:00
      2026-05-04T09:15:00Z,2026-05-04T10:00:00Z
      2026-05-05T08:00:00Z,2026-05-05T08:45:00Z

      """, to: "stays.csv")
    let run = try Program.run(
      "simulate", scratch.file("a.csv"), "--stays", scratch.file("stays.csv"), "--policy",
      "continuous")
    #expect(run.exitCode == 0)
    #expect(
      run.messages.contains("2 of its 4 stays are outside the trace"), "\(run.messages)")
    #expect(run.messages.contains("the first: line 2, 2026-05-03T08:00:00Z"))
    #expect(run.messages.contains("its times name no zone (line 3): they count as UTC"))
  }
}
