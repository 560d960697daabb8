import Records
import Core
import Ports
import GNSS
import Testing
import Tracking

@testable import Runtime

/// A receiver in memory: what is put into it can be read while it is open.
private final class MemoryReceiver: ReceiverPort {
  let name = "memory receiver"
  let interest: Interest? = nil
  var isOpen = false
  var waiting: [UInt8] = []
  var failure: PortError?
  var warning: String?
  var lineErrors: LineErrors?

  func open() throws(PortError) {
    if let failure { throw failure }
    isOpen = true
  }

  func read(limit: Int) throws(PortError) -> [UInt8] {
    if let failure { throw failure }
    defer { waiting.removeFirst(min(limit, waiting.count)) }
    return Array(waiting.prefix(limit))
  }

  func write(_ bytes: [UInt8]) throws(PortError) {
    guard isOpen else { throw .lost("nothing is open") }
  }
  func close() { isOpen = false }
}

/// A switch that records whether the receiver's line was still open when it cut the power.
private final class MemorySwitch: PowerSwitchPort {
  let name = "memory switch"
  let receiver: MemoryReceiver
  var states: [PowerState] = []
  var cutWhileOpen = false
  var failure: PortError?

  init(_ receiver: MemoryReceiver) { self.receiver = receiver }

  let lines: Set<PowerLine> = [.supply]

  func set(_ line: PowerLine, active: Bool) throws(PortError) {
    if let failure { throw failure }
    if !active, receiver.isOpen { cutWhileOpen = true }
    states.append(active ? .on : .off)
  }
}

@Suite struct TrackerRuntimeTests {
  private let receiver = MemoryReceiver()
  private let powerSwitch: MemorySwitch
  private let store = MemoryStore()
  private let runtime: TrackerRuntime

  init() {
    powerSwitch = MemorySwitch(receiver)
    runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(mechanism: .lines, lines: [.supply], settle: 0),
      devices: Devices(receiver: receiver, powerSwitch: powerSwitch, store: store))
  }

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// One epoch of NMEA: the checksum is the exclusive or of the bytes between `$` and `*`.
  private func sentence(second: Int) -> [UInt8] {
    let clock = 120_000 + second / 60 * 100 + second % 60
    return [
      "GPRMC,\(clock).00,A,5206.0000,N,00506.0000,E,0.0,,010526,,,A",
      "GPGGA,\(clock).00,5206.0000,N,00506.0000,E,1,09,0.9,12.0,M,45.0,M,,",
    ].flatMap { body in
      let sum = body.utf8.reduce(0, ^)
      let hex = String(sum, radix: 16, uppercase: true)
      return Array("$\(body)*\(hex.count == 1 ? "0" : "")\(hex)\r\n".utf8)
    }
  }

  private func speak(_ seconds: ClosedRange<Int>) {
    for second in seconds where receiver.isOpen {
      receiver.waiting += sentence(second: second)
      runtime.receiverIsReadable(at: at(Double(second)))
      runtime.timePassed(at: at(Double(second) + 0.5))
    }
  }

  @Test("the line is closed before the power is cut") func theLineIsLetGoBeforeThePowerIsCut() {
    runtime.start(restoring: nil, at: .zero)
    #expect(receiver.isOpen)
    speak(1...20)
    #expect(powerSwitch.states == [.on, .off])
    #expect(!powerSwitch.cutWhileOpen)
    #expect(!receiver.isOpen)
    #expect(runtime.tracker.counters.fixesAccepted > 0)
  }

  @Test("a receiver's missing ability is logged once, until it changes")
  func whatAReceiverCannotDoIsToldOnce() {
    var told: [String] = []
    runtime.onLog = { logEvent, _ in
      if logEvent.kind == "receiver-limited" { told.append(logEvent.reason) }
    }
    receiver.warning = "gpsd keeps the device"
    runtime.start(restoring: nil, at: .zero)
    speak(1...20)
    runtime.command(.gnss(.on), at: at(30))
    speak(31...40)
    #expect(told == ["gpsd keeps the device"])
    receiver.warning = "gpsd serves two"
    runtime.command(.gnss(.off), at: at(50))
    #expect(told == ["gpsd keeps the device", "gpsd serves two"])
  }

  @Test("lost bytes are logged when it begins, and hourly at most")
  func lostBytesAreTold() {
    var told: [String] = []
    runtime.onLog = { logEvent, _ in
      if logEvent.kind == "receiver-bytes-lost" { told.append(logEvent.reason) }
    }
    func lose(_ overruns: Int, _ bufferOverruns: Int, at seconds: Double) {
      receiver.lineErrors = LineErrors()
      receiver.lineErrors?.overruns = overruns
      receiver.lineErrors?.bufferOverruns = bufferOverruns
      receiver.lineErrors?.framing = 1000
      runtime.receiverIsReadable(at: at(seconds))
    }
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.on), at: at(0))
    lose(0, 0, at: 1)
    #expect(told.isEmpty)
    lose(1, 0, at: 2)
    lose(1, 7, at: 3)
    #expect(told.count == 1 && told.first?.contains("1 overruns of the UART") == true)
    lose(1, 7, at: 3700)
    lose(1, 7, at: 7500)
    #expect(told.count == 2 && told.last?.contains("7 of the kernel") == true)
    let status = StatusReport(runtime, at: at(7500), started: .zero).json
    #expect(status["receiver"]?["line_errors"]?["buffer_overruns"]?.integer == 7)
    #expect(status["receiver"]?["line_errors"]?["framing_errors"]?.integer == 1000)
  }

  @Test("a failed switch is tried again") func aFailedSwitchDoesNotStopTheTracker() {
    powerSwitch.failure = PortError("line busy: free GNSS_EN")
    runtime.start(restoring: nil, at: .zero)
    #expect(runtime.activity.positioningState == .off)
    #expect(runtime.nextDue != nil, "it is tried again")
  }

  @Test("a command works as soon as the switch does") func aFailedSwitchSurvivesACommand() {
    powerSwitch.failure = PortError("line busy: free GNSS_EN")
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.on), at: at(1))
    runtime.command(.gnss(.on), at: at(2))
    #expect(runtime.tracker.counters.sessions == 3)
    powerSwitch.failure = nil
    runtime.command(.gnss(.on), at: at(3))
    #expect(powerSwitch.states == [.on])
  }

  @Test("a receiver that cannot be switched off is not counted as off")
  func aReceiverThatCannotBeSwitchedOffIsCountedAsPowered() throws {
    runtime.start(restoring: nil, at: .zero)
    powerSwitch.failure = PortError("line busy: free GNSS_EN")
    runtime.command(.gnss(.off), at: at(10))
    #expect(runtime.activity.positioningState == .acquiring)
    powerSwitch.failure = nil
    runtime.timePassed(at: try #require(runtime.tracker.nextWake))
    #expect(powerSwitch.states == [.on, .off])
    #expect(runtime.activity.positioningState == .off)
  }

  @Test("a missing receiver is tried again less and less often")
  func aMissingReceiverIsOpenedAgainLessAndLessOften() {
    receiver.failure = .missing("no receiver")
    runtime.start(restoring: nil, at: .zero)
    var attempts: [Double] = []
    for _ in 0..<5 {
      guard let retry = runtime.receiver.due else { break }
      attempts.append((retry - .zero).value)
      runtime.timePassed(at: retry)
    }
    #expect(attempts == [2, 6, 14, 30, 62])
    #expect(runtime.receiver.failure == "no receiver")
  }

  @Test("an absent receiver is charged no energy, and one that comes back is")
  func absentReceiver() throws {
    receiver.failure = .missing("no receiver")
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.on), at: .zero)
    runtime.timePassed(at: at(300))
    #expect(runtime.energy.totals(at: at(300)).on.energy == 0)
    receiver.failure = nil
    runtime.timePassed(at: try #require(runtime.receiver.due))
    speak(330...340)
    let on = runtime.energy.totals(at: at(340)).on
    #expect(on.energy > 0 && on.duration < 60)
  }

  @Test("a silent receiver is charged for as long as silence is normal")
  func silentReceiver() throws {
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.on), at: .zero)
    while let due = runtime.nextDue, due < at(600) { runtime.timePassed(at: due) }
    let silent = runtime.energy.totals(at: at(600)).on.duration
    #expect(silent <= 20, "\(silent)")
    let status = StatusReport(runtime, at: at(600), started: .zero).json
    #expect(status["receiver"]?["missing"]?.bool == true)
  }

  @Test("a command is stored at once") func ordersAreStored() throws {
    runtime.start(restoring: nil, at: .zero)
    runtime.commit(at: at(1))
    let before = store.transactions.count
    runtime.command(.gnss(.off), at: at(2))
    #expect(store.transactions.count == before + 1)
    guard case .trackerState(let state)? = store.transactions.last?.last else {
      Issue.record("the state must be the last record of the transaction")
      return
    }
    #expect(try JSONValue(parsing: state)["order"]?["gnss"]?.string == "off")
  }

  @Test("the writing program is recorded in the store") func signature() {
    runtime.recordProvenance(#"{"version":"1"}"#, at: .zero)
    runtime.start(restoring: nil, at: .zero)
    runtime.commit(at: at(1))
    #expect(store.transactions.joined().contains(.provenance(#"{"version":"1"}"#)))
  }

  @Test("a receiver that cannot be opened gets no sleep command, and one failure is logged")
  func sleepWithoutALine() {
    receiver.failure = .missing("no receiver")
    let runtime = TrackerRuntime(
      tracker: Tracker(
        settings: TrackerSettings(power: PowerCapabilities(canSleep: true, canCut: false))),
      decoder: ReceiverDecoder(), meter: EnergyMeter(model: .ubloxM8, at: .zero),
      commits: CommitSettings(),
      wiring: PowerWiring(mechanism: .command, settle: 0, family: .ubloxM8),
      devices: Devices(receiver: receiver))
    var kinds: [String] = []
    runtime.onLog = { logEvent, _ in kinds.append(logEvent.kind) }
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.off), at: at(1))
    #expect(!kinds.contains("receiver-command-failed"), "\(kinds)")
    #expect(kinds.count { $0 == "receiver-failed" } == 1)
  }

  /// 2026-05-01T12:00:00Z, the start of the sentences.
  private static let noon = UTCInstant(seconds: 1_777_636_800)

  /// The retention runs that follow from the receiver's date and the system's.
  private func tidied(system: UTCInstant?, isSynchronized: Bool = false) -> [UTCInstant] {
    runtime.systemDate = {
      system.map { SystemDate(date: $0, read: .zero, isSynchronized: isSynchronized) }
    }
    runtime.start(restoring: nil, at: .zero)
    runtime.commit(at: at(0.1))
    #expect(store.tidied == [], "the system's clock may be wrong")
    speak(1...20)
    runtime.commit(at: at(21))
    runtime.commit(at: at(22))
    return store.tidied
  }

  @Test("retention runs once a day when the system's clock confirms the receiver's")
  func retentionWithAWitness() {
    #expect(tidied(system: Self.noon).count == 1)
  }

  @Test("an unconfirmed date deletes nothing, but dates the records")
  func retentionWithoutAWitness() {
    #expect(tidied(system: nil) == [])
    #expect(runtime.tracker.counters.fixesAccepted > 0)
    #expect(runtime.tracker.clock.utc(at: at(0)) == Self.noon)
  }

  @Test("months without power are no contradiction, and nothing is deleted for them")
  func retentionAfterTheDrawer() {
    #expect(tidied(system: Self.noon - .days(200)) == [])
    #expect(runtime.tracker.counters.fixesAccepted > 0)
  }

  @Test("fixes are refused, counted and logged while the system's clock contradicts their date")
  func contradictedDate() {
    var logEvents: [String] = []
    runtime.onLog = { logEvent, _ in logEvents.append(logEvent.kind) }
    #expect(tidied(system: Self.noon + .days(4500), isSynchronized: true) == [])
    #expect(runtime.tracker.counters.fixesAccepted == 0)
    #expect(runtime.tracker.counters.fixesRejected[.implausibleDate] == 20)
    #expect(logEvents.count { $0 == "date-refused" } == 1)
    let status = StatusReport(runtime, at: at(22), started: .zero).json
    #expect(status["state"]?.string == "degraded")
    #expect(status["date"]?["refused"]?.string?.contains("2026-05-01") == true)
    #expect(status["date"]?["source"]?.string == "system-clock")
  }

  @Test("the newest coarse location is reported beside the fix") func coarseLocation() {
    func status(_ second: Double) -> JSONValue {
      StatusReport(runtime, at: at(second), started: .zero).json["coarse"] ?? .null
    }
    runtime.start(restoring: nil, at: .zero)
    #expect(status(1) == .null)
    let heard = CoarseObservation(
      received: at(10), time: Self.noon + 10,
      position: Coordinate(latitude: 52.1, longitude: 5), accuracy: 2500, source: "network")
    runtime.handle([.tracker(.coarse(heard, from: "network"))], at: at(10))
    #expect(status(20)["lat"]?.number == 52.1 && status(20)["accuracy_m"]?.number == 2500)
    #expect(status(20)["time"]?.string == "2026-05-01T12:00:10.000Z")
  }

  @Test("the system's clock is queried again until the date is confirmed")
  func clockThatIsSetLater() {
    var asked = 0
    runtime.systemDate = {
      asked += 1
      return asked > 10 ? SystemDate(date: Self.noon, read: .zero, isSynchronized: true) : nil
    }
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.on), at: .zero)
    speak(1...30)
    #expect(runtime.tracker.clock.source == .systemClock)
    #expect(asked == 11)
  }

  @Test("new settings do not end the visit") func newSettingsDoNotEndTheVisit() throws {
    runtime.start(restoring: nil, at: .zero)
    runtime.command(.gnss(.on), at: .zero)
    speak(1...1200)
    let visit = try #require(runtime.tracker.openVisit)
    runtime.reconfigure(
      TrackerSettings(policy: .periodic(PeriodicSettings())), boot: nil, at: at(1201))
    #expect(runtime.tracker.policyName == PeriodicPolicy.descriptor.name)
    #expect(runtime.tracker.openVisit?.id == visit.id)
    #expect(runtime.tracker.openVisit?.arrival == visit.arrival)
  }

  @Test("the data that a later run needs ends the last transaction")
  func whatALaterRunNeedsIsInTheSameTransaction() throws {
    runtime.start(restoring: nil, at: .zero)
    speak(1...20)
    runtime.stop(at: at(30))
    guard case .trackerState(let text)? = store.transactions.last?.last else {
      Issue.record("the state must be the last record of the transaction")
      return
    }
    let again = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(mechanism: .lines, lines: [.supply], settle: 0),
      devices: Devices(store: store))
    again.start(restoring: text, at: .zero)
    #expect(
      again.tracker.snapshot(at: .zero)["acquisition"]
        == runtime.tracker.snapshot(at: .zero)["acquisition"])
  }
}
