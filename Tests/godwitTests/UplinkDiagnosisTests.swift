import Delivery
import GodwitSettings
import Core
import TestSupport
import Testing

@testable import godwit

/// The doctor's findings about the uplink, and about the board's owner.
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

  private func findings(
    _ more: [String], _ report: UplinkReport? = nil, after pause: Seconds = 60
  ) throws -> [Finding] {
    UplinkDiagnosis.findings(try settings(more).uplink, report, at: Self.time + pause)
  }

  @Test("without recipients there is nothing to report") func none() throws {
    #expect(try findings([], UplinkReport(at: Self.time, waiting: 1)) == [])
    #expect(try PeopleDiagnosis.finding(settings([])) == nil)
  }

  @Test("if nothing calls the uplink it explains how to start it, and how a manual run went")
  func uncalled() throws {
    let missing = Self.broker + ["uplink.socket=\(folder.file("none.sock"))"]
    let found = try findings(missing, UplinkReport(at: Self.time, waiting: 1))
    #expect(found.map(\.verdict) == [.warn, .ok])
    #expect(found[0].text.contains("systemctl enable --now godwit-uplink.socket"))
    #expect(found[1].text.contains("1 message left"))
    try folder.write("", to: "none.sock")
    #expect(try findings(missing).map(\.verdict) == [.warn])
  }

  @Test("a caller exists; an old last run, or one that failed, is a warning")
  func visits() throws {
    let path = folder.file("uplink.sock")
    let listener = try ListeningSocket(path)
    let given = Self.broker + ["uplink.socket=\(path)"]
    #expect(try findings(given).map(\.verdict) == [.ok])
    let report = UplinkReport(at: Self.time, waiting: 1)
    #expect(try findings(given, report, after: .hours(24)).map(\.verdict) == [.ok, .ok])
    #expect(try findings(given, report, after: .hours(25)).map(\.verdict) == [.ok, .warn])
    let failure = UplinkReport.Failure(.brokers, count: 3, why: "not authorised")
    let failed = UplinkReport(at: Self.time, waiting: 1, failures: [failure])
    let found = try findings(given, failed)
    #expect(found.map(\.verdict) == [.ok, .warn])
    #expect(found[1].text.hasPrefix("mqtt failed 3 times in a row: not authorised"))
    withExtendedLifetime(listener) {}
  }

  @Test(
    "the board's owner has to be the broker's user",
    arguments: [
      (["uplink.mqtt.user=anna"], Finding.Verdict.ok), (["uplink.mqtt.user=bike"], .warn),
      (["uplink.mqtt.psk_identity=bike", "uplink.mqtt.psk_file=/etc/psk"], .warn), ([], .ok),
    ])
  func account(given: [String], verdict: Finding.Verdict) throws {
    let found = try PeopleDiagnosis.finding(settings(Self.broker + given))
    #expect(found?.verdict == verdict, "\(found?.text ?? "")")
  }

  @Test("people's messages are sent for a named person only") func nobodys() throws {
    let found = try PeopleDiagnosis.finding(settings(Array(Self.broker.dropLast())))
    #expect(found?.verdict == .warn && found?.text.contains("set people.address") == true)
  }

  @Test("without a broker the finding names the transfer by file") func byFiles() throws {
    let found = try #require(try PeopleDiagnosis.finding(settings(["people.address=anna"])))
    #expect(found.verdict == .ok && found.text.contains("letters travel only as files"))
  }
}
