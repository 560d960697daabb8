import Core
import Testing

@testable import godwit

/// `godwit status --check`, as a monitoring program reads it.
@Suite struct StatusHealthTests {
  private static func status(
    state: String = "running", recording: Bool = true, faults: [String] = []
  ) -> JSONValue {
    .object([
      ("state", .string(state)), ("recording", .bool(recording)), ("gnss", .string("off")),
      ("faults", .array(faults.map { .string($0) })),
      ("fix", .object([("age_s", .number(180))])),
      (
        "visit",
        .object([("arrival", .string("2026-05-04T07:12:02Z")), ("label", .string("Home"))])
      ),
    ])
  }

  @Test("each level has its text and exit code") func levels() {
    let well = StatusHealth(Self.status())
    #expect(well.level.rawValue == 0)
    #expect(well.line.hasPrefix("OK: gnss off, at Home since 2026-05-04 "))
    #expect(well.line.hasSuffix("last fix 3 min ago"))
    let worn = StatusHealth(Self.status(state: "degraded", faults: ["no monitor"]))
    #expect(worn.level.rawValue == 1 && worn.line == "WARNING: no monitor")
    let broken = StatusHealth(
      Self.status(state: "degraded", recording: false, faults: ["disk full", "x"]))
    #expect(broken.level.rawValue == 2 && broken.line == "CRITICAL: disk full: x")
    let off = JSONValue.object([
      ("state", .string("running")), ("recording", .bool(false)), ("faults", .array([])),
      ("gnss_order", .object([("gnss", .string("off"))])), ("reason", .string("off by command")),
    ])
    #expect(
      StatusHealth(off).level == .warning && StatusHealth(off).line.contains("off by command"))
    #expect(StatusHealth(unanswered: "no daemon").level.rawValue == 2)
    #expect(StatusHealth(.object([])).level == .warning, "another program's answer is not well")
  }

  @Test("without a daemon, the check is critical and says so on standard output")
  func noDaemon() throws {
    let outcome = try Program.run(["status", "--check", "--socket", "/nonexistent/socket"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.hasPrefix("CRITICAL: /nonexistent/socket: no daemon answers there"))
  }
}
