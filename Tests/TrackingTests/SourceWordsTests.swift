import Core
import Records
import Testing

@testable import Tracking

/// A source's last report, as the user sees it.
@Suite struct SourceWordsTests {
  @Test(
    "every kind of evidence has its text",
    arguments: [
      (Evidence.motion, "movement"), (.network("9f8e"), "joined to 9f8e"),
      (.network(nil), "joined to no network"), (.ignition(isOn: true), "external power is on"),
      (.ignition(isOn: false), "external power is off"), (.cell("x"), "cell x"),
      (.sign("steps are counted"), "steps are counted"),
      (.accessPoints(AccessPointScan([], age: 90)), "0 access points, received 90 s before"),
      (
        .accessPoints(AccessPointScan([AccessPointSignal(bssid: "x", strength: -50)])),
        "1 access point"
      ),
      (
        .location(
          CoarseObservation(
            received: .zero, time: nil,
            position: Coordinate(latitude: 52.090712, longitude: -5.1), accuracy: 39.2,
            source: "wifi")), "52.0907, -5.1000 ± 39 m"
      ),
      (
        .location(
          CoarseObservation(
            received: .zero, time: nil, position: nil, accuracy: nil, source: "wifi")),
        "no position"
      ),
    ])
  func words(_ evidence: Evidence, _ text: String) {
    #expect(evidence.inWords == text)
  }

  @Test("the last report of each is kept, also failures, and also over new settings")
  func lastWords() {
    var settings = TrackerSettings()
    settings.evidenceSources = ["motion", "geoclue"]
    var tracker = Tracker(settings: settings)
    _ = tracker.step(.started(clock: nil), at: .zero)
    #expect(tracker.sources.map(\.lastReport) == [nil, nil])
    _ = tracker.step(.evidence(.motion, from: "motion"), at: .zero + 5)
    _ = tracker.step(.scanFailed(source: "geoclue", reason: "denied"), at: .zero + 6)
    #expect(tracker.sources.map(\.lastReport) == ["movement", "denied"])
    #expect(tracker.sources.map(\.hasFailed) == [false, true])
    let heard: [BootInstant?] = [.zero + 5, .zero + 6]
    #expect(tracker.sources.map(\.lastReportTime) == heard)
    let again = tracker.reconfigured(settings)
    #expect(again.sources.map(\.lastReport) == ["movement", "denied"])
  }
}
