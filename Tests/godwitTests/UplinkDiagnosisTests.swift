import Delivery
import GodwitSettings
import Quantities
import TestSupport
import Testing

@testable import godwit

/// What the doctor finds about the uplink, and about whose board it is.
@Suite struct UplinkDiagnosisTests {
  private let folder: ScratchFolder
  private static let broker = [
    "uplink.mqtt.brokers=[\"mqtts://broker.example.org\"]", "uplink.mqtt.people=true",
    "people.address=anna",
  ]
  private static let time = UTCInstant(seconds: 1_777_593_600)

  init() throws { folder = try ScratchFolder() }

  private func settings(_ more: [String]) throws -> Settings {
    let options = try ConfigOptions.parse(more.flatMap { ["--set", $0] })
    return try options.load().settings
  }

  private func finding(
    _ more: [String], _ report: UplinkReport? = nil
  ) throws -> Finding? {
    UplinkDiagnosis.finding(try settings(more).uplink, report)
  }

  @Test("where nobody gets anything there is nothing to find") func none() throws {
    #expect(try finding([]) == nil)
    #expect(try PeopleDiagnosis.finding(settings([])) == nil)
  }

  @Test("nobody who hands records on is a failure, and says how to start it") func nobody() throws {
    let missing = "uplink.socket=\(folder.file("none.sock"))"
    let found = try #require(try finding(Self.broker + [missing]))
    #expect(found.verdict == .fail)
    #expect(found.text.contains("systemctl enable --now godwit-uplink.socket"))
  }

  @Test("somebody is there, with the last visit where one is known") func there() throws {
    let path = folder.file("uplink.sock")
    let listener = try ListeningSocket(path)
    let given = Self.broker + ["uplink.socket=\(path)"]
    #expect(try finding(given)?.verdict == .ok)
    let report = UplinkReport(at: Self.time, waiting: 1)
    #expect(try finding(given, report)?.text.contains("1 message left") == true)
    withExtendedLifetime(listener) {}
  }

  @Test("a broker that fails is a warning with its reason") func failing() throws {
    let failure = UplinkReport.Failure(.brokers, count: 3, why: "not authorised")
    let report = UplinkReport(at: Self.time, waiting: 1, failures: [failure])
    let found = try #require(try finding(Self.broker, report))
    #expect(found.verdict == .warn)
    #expect(found.text.hasPrefix("mqtt failed 3 times in a row: not authorised"))
  }

  @Test(
    "whose board it is has to be whom the broker knows",
    arguments: [("anna", Finding.Verdict.ok), ("bike", .warn), ("", .ok)])
  func account(user: String, verdict: Finding.Verdict) throws {
    let found = try PeopleDiagnosis.finding(settings(Self.broker + ["uplink.mqtt.user=\(user)"]))
    #expect(found?.verdict == verdict, "\(found?.text ?? "")")
  }

  @Test("without a broker it says what goes by files") func byFiles() throws {
    let found = try #require(try PeopleDiagnosis.finding(settings(["people.address=anna"])))
    #expect(found.verdict == .ok && found.text.contains("letters go by files alone"))
  }
}
