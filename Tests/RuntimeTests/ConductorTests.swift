import Energy
import Geodesy
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Testing
import Tracking

@testable import Runtime

/// A receiver in memory: what is put into it can be read while it is open.
private final class MemoryReceiver: ReceiverPort {
  let name = "memory receiver"
  let descriptor: Int32? = nil
  var isOpen = false
  var waiting: [UInt8] = []
  var failure: ReceiverError?
  var shortcoming: String?

  func open() throws(ReceiverError) {
    if let failure { throw failure }
    isOpen = true
  }

  func read(limit: Int) throws(ReceiverError) -> [UInt8] {
    if let failure { throw failure }
    defer { waiting.removeFirst(min(limit, waiting.count)) }
    return Array(waiting.prefix(limit))
  }

  func write(_ bytes: [UInt8]) throws(ReceiverError) {}
  func close() { isOpen = false }
}

/// A switch that notes whether the receiver's line was still open when it cut the power.
private final class MemorySwitch: PowerSwitchPort {
  let name = "memory switch"
  let receiver: MemoryReceiver
  var states: [PowerState] = []
  var cutWhileOpen = false
  var failure: PowerSwitchError?

  init(_ receiver: MemoryReceiver) { self.receiver = receiver }

  let lines: Set<PowerLine> = [.supply]

  func set(_ line: PowerLine, active: Bool) throws(PowerSwitchError) {
    if let failure { throw failure }
    if !active, receiver.isOpen { cutWhileOpen = true }
    states.append(active ? .on : .off)
  }
}

@Suite struct ConductorTests {
  private let receiver = MemoryReceiver()
  private let powerSwitch: MemorySwitch
  private let store = MemoryStore()
  private let conductor: Conductor

  init() {
    powerSwitch = MemorySwitch(receiver)
    conductor = Conductor(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(means: .lines, lines: [.supply], settle: 0),
      board: Board(receiver: receiver, powerSwitch: powerSwitch, store: store))
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
      conductor.receiverIsReadable(at: at(Double(second)))
      conductor.timePassed(at: at(Double(second) + 0.5))
    }
  }

  @Test func theLineIsLetGoBeforeThePowerIsCut() {
    conductor.start(restoring: nil, clock: nil, at: .zero)
    #expect(receiver.isOpen)
    speak(1...20)
    #expect(powerSwitch.states == [.on, .off])
    #expect(!powerSwitch.cutWhileOpen)
    #expect(!receiver.isOpen)
    #expect(conductor.tracker.counters.fixesAccepted > 0)
  }

  @Test func whatAReceiverCannotDoIsToldOnce() {
    var told: [String] = []
    conductor.noted = { note, _ in if note.kind == "receiver-limited" { told.append(note.reason) } }
    receiver.shortcoming = "gpsd keeps the device"
    conductor.start(restoring: nil, clock: nil, at: .zero)
    speak(1...20)
    conductor.command(.gnss(.on), at: at(30))
    speak(31...40)
    #expect(told == ["gpsd keeps the device"])
    receiver.shortcoming = "gpsd serves two"
    conductor.command(.gnss(.off), at: at(50))
    #expect(told == ["gpsd keeps the device", "gpsd serves two"])
  }

  @Test func aFailedSwitchDoesNotStopTheTracker() {
    powerSwitch.failure = PowerSwitchError("line busy: free GNSS_EN")
    conductor.start(restoring: nil, clock: nil, at: .zero)
    #expect(conductor.tracker.gnssState == .off)
    #expect(conductor.nextDue != nil, "it is tried again")
  }

  @Test func aFailedSwitchSurvivesACommand() {
    powerSwitch.failure = PowerSwitchError("line busy: free GNSS_EN")
    conductor.start(restoring: nil, clock: nil, at: .zero)
    conductor.command(.gnss(.on), at: at(1))
    conductor.command(.gnss(.on), at: at(2))
    #expect(conductor.tracker.counters.sessions == 3)
    powerSwitch.failure = nil
    conductor.command(.gnss(.on), at: at(3))
    #expect(powerSwitch.states == [.on])
  }

  @Test func aReceiverThatCannotBeSwitchedOffIsCountedAsPowered() throws {
    conductor.start(restoring: nil, clock: nil, at: .zero)
    powerSwitch.failure = PowerSwitchError("line busy: free GNSS_EN")
    conductor.command(.gnss(.off), at: at(10))
    #expect(conductor.tracker.gnssState == .acquiring)
    powerSwitch.failure = nil
    conductor.timePassed(at: try #require(conductor.tracker.nextWake))
    #expect(powerSwitch.states == [.on, .off])
    #expect(conductor.tracker.gnssState == .off)
  }

  @Test func aMissingReceiverIsOpenedAgainLessAndLessOften() {
    receiver.failure = .missing("no receiver")
    conductor.start(restoring: nil, clock: nil, at: .zero)
    var attempts: [Double] = []
    for _ in 0..<5 {
      guard let retry = conductor.line.retryAt else { break }
      attempts.append((retry - .zero).value)
      conductor.timePassed(at: retry)
    }
    #expect(attempts == [2, 6, 14, 30, 62])
    #expect(conductor.receiverFailure == "no receiver")
  }

  @Test func everythingIsStoredBeforeItIsTold() {
    var told: [Record] = []
    conductor.published = { record in
      #expect(self.store.records.contains(record), "told before it was stored: \(record)")
      told.append(record)
    }
    conductor.start(restoring: nil, clock: nil, at: .zero)
    speak(1...20)
    conductor.stop(at: at(30))
    #expect(!told.isEmpty)
  }

  @Test func retentionWaitsForTheReceiversDate() {
    conductor.start(restoring: nil, clock: UTCInstant(seconds: 4e9), at: .zero)
    conductor.commit(at: at(0.1))
    #expect(store.tidied == [], "the system's clock may be wrong")
    speak(1...20)
    conductor.commit(at: at(21))
    conductor.commit(at: at(22))
    #expect(store.tidied.count == 1, "once a day")
  }

  @Test func newSettingsDoNotEndTheVisit() throws {
    conductor.start(restoring: nil, clock: nil, at: .zero)
    conductor.command(.gnss(.on), at: .zero)
    speak(1...1200)
    let visit = try #require(conductor.tracker.openVisit)
    conductor.reconfigure(
      TrackerSettings(policy: .periodic(PeriodicSettings())), clock: nil, at: at(1201))
    #expect(conductor.tracker.policyName == PeriodicPolicy.name)
    #expect(conductor.tracker.openVisit?.id == visit.id)
    #expect(conductor.tracker.openVisit?.arrival == visit.arrival)
  }

  @Test func whatALaterRunNeedsIsInTheSameTransaction() throws {
    conductor.start(restoring: nil, clock: nil, at: .zero)
    speak(1...20)
    conductor.stop(at: at(30))
    guard case .trackerState(let text)? = store.transactions.last?.last else {
      Issue.record("the state must be the last record of the transaction")
      return
    }
    let again = Conductor(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(means: .lines, lines: [.supply], settle: 0),
      board: Board(store: store))
    again.start(restoring: text, clock: nil, at: .zero)
    #expect(
      again.tracker.snapshot(at: .zero)["acquisition"]
        == conductor.tracker.snapshot(at: .zero)["acquisition"])
  }
}
