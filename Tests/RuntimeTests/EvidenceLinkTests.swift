import Records
import Core
import Ports
import GNSS
import Testing
import Tracking

@testable import Runtime

private final class Line: EvidencePort {
  let name = "motion"
  let interest: Interest? = nil
  var due: BootInstant?
  var waiting = 0
  var failure: PortError?
  private(set) var questions = 0

  func request() throws(PortError) {
    questions += 1
    if let failure { throw failure }
  }

  func poll() throws(PortError) -> Evidence? {
    if let failure { throw failure }
    guard waiting > 0 else { return nil }
    waiting -= 1
    return .motion
  }
}

@Suite struct EvidenceLinkTests {
  private let line = Line()

  private func sources(_ served: Served) -> [String] {
    served.inputs.compactMap { input in
      if case .tracker(.evidence(.motion, let source)) = input { source } else { nil }
    }
  }

  @Test("evidence comes with the name of its source, when it is ready or due")
  func evidenceIsNamed() {
    let link = EvidenceLink(line, Surroundings.bare)
    line.waiting = 2
    #expect(sources(link.serve(at: .zero, isReady: false)) == [])
    #expect(sources(link.serve(at: .zero, isReady: true)) == ["motion", "motion"])
    line.waiting = 1
    line.due = .zero + 5
    #expect(!link.serve(at: .zero + 4, isReady: false).isFruitful)
    let served = link.serve(at: .zero + 5, isReady: false)
    #expect(served.isFruitful && sources(served) == ["motion"])
  }

  @Test("a chattering line does not block the loop") func chatterIsBounded() {
    let link = EvidenceLink(line, Surroundings.bare)
    line.waiting = 1_000_000
    #expect(sources(link.serve(at: .zero, isReady: true)).count == EvidenceLink.maxBatch)
  }

  @Test("a failure is an event with its reason") func failuresAreEvents() {
    let link = EvidenceLink(line, Surroundings.bare)
    line.failure = PortError("the line is gone")
    for inputs in [link.scan(), link.serve(at: .zero, isReady: true).inputs] {
      guard case .tracker(.scanFailed("motion", "the line is gone")) = inputs.first else {
        Issue.record("no failure: \(inputs)")
        continue
      }
    }
  }

  @Test("a scan request reaches the source by its name") func scansReachTheSource() {
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(), devices: Devices(evidence: [line]))
    #expect(runtime.evidenceSources == ["motion"])
    #expect(runtime.endpoints.contains { $0.kind == "evidence" })
    #expect(EvidenceLink(line, Surroundings.bare).scan().isEmpty && line.questions == 1)
  }

  @Test("the status lists every source with its reliability") func standingsAreTold() {
    var settings = TrackerSettings()
    settings.evidenceSources = ["motion"]
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(), devices: Devices(evidence: [line]))
    func source(at second: Double) -> JSONValue? {
      StatusReport(runtime, at: .zero + Seconds(second), started: .zero).json["sources"]?.array?
        .first
    }
    runtime.start(restoring: nil, at: .zero)
    #expect(source(at: 5)?["name"]?.string == "motion")
    #expect(source(at: 5)?["heard_ago_s"] == .null)
    line.waiting = 1
    runtime.serve(runtime.endpoints[1], at: .zero + 10, isReady: true)
    #expect(source(at: 50)?["heard_ago_s"]?.number == 40)
    #expect(source(at: 50)?["trusted"]?.bool == false)
    #expect(source(at: 50)?["confirmed"]?.integer == 0)
    #expect(source(at: 50)?["contradicted"]?.integer == 0)
  }
}

extension Surroundings {
  /// Without a map: received evidence passes through unchanged.
  fileprivate static var bare: Surroundings {
    Surroundings(nil, lookUp: nil, hidesIdentifiers: false, log: LogChannel())
  }
}
