import Records
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// A day of each fault at the ports, in virtual time: how often the board would wake.
@Suite struct FaultDayTests {
  enum Fault: String, CaseIterable {
    case receiverMissing, receiverRefused, receiverLostAtOnce, receiverSilent, receiverNeverConnects
    case switchFails, monitorFails, coarseFails, storeFull, storeLocked, all
  }

  /// Fails in the way that the test sets.
  private final class Receiver: ReceiverPort {
    let name = "receiver"
    let interest: Interest? = nil
    let fault: Fault
    init(_ fault: Fault) { self.fault = fault }
    var isConnected: Bool { fault != .receiverNeverConnects }
    func open() throws(PortError) {
      if fault == .receiverMissing || fault == .all { throw .missing("no receiver") }
      if fault == .receiverRefused { throw .refused("not allowed") }
    }
    func read(limit: Int) throws(PortError) -> [UInt8] {
      if fault == .receiverLostAtOnce { throw .lost("it has disappeared") }
      return []
    }
    func write(_ bytes: [UInt8]) throws(PortError) {
      if fault != .receiverSilent { throw .lost("takes nothing") }
    }
    func close() {}
  }

  private final class Switch: PowerSwitchPort {
    let name = "switch"
    let lines: Set<PowerLine> = [.supply]
    let fails: Bool
    init(_ fault: Fault) { fails = fault == .switchFails || fault == .all }
    func set(_ line: PowerLine, active: Bool) throws(PortError) {
      if fails { throw PortError("the line is taken") }
    }
  }

  private final class Monitor: PowerMonitorPort {
    let name = "monitor"
    func read() throws(PortError) -> PowerReading {
      throw PortError("the bus hangs")
    }
  }

  private final class Coarse: EvidencePort {
    let name = "coarse"
    let interest: Interest? = nil
    let delivery: CoarseDelivery? = .onRequest
    func request() throws(PortError) { throw PortError("no bus") }
    func poll() throws(PortError) -> Evidence? { throw PortError("no bus") }
  }

  private func devices(_ fault: Fault) -> Devices {
    let store = MemoryStore()
    if fault == .storeFull || fault == .all { store.failure = .full("no space") }
    if fault == .storeLocked { store.failure = .busy("locked") }
    return Devices(
      receiver: Receiver(fault), powerSwitch: Switch(fault),
      monitor: fault == .monitorFails || fault == .all ? Monitor() : nil,
      evidence: fault == .coarseFails || fault == .all ? [Coarse()] : [], store: store)
  }

  @Test(
    "no fault wakes the board more than once a second",
    arguments: Fault.allCases, [PolicySettings.continuous, .hybrid(HybridSettings())])
  func aDay(of fault: Fault, policy: PolicySettings) {
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings(policy: policy)),
      decoder: ReceiverDecoder(), meter: EnergyMeter(model: .ubloxM8, at: .zero),
      commits: CommitSettings(interval: 0),
      wiring: PowerWiring(mechanism: .lines, lines: [.supply], settle: 0), devices: devices(fault))
    let date = UTCInstant(seconds: 1_780_000_000)
    runtime.systemDate = { SystemDate(date: date, read: .zero, isSynchronized: false) }
    runtime.start(restoring: nil, at: .zero)
    let day = BootInstant.zero + .days(1)
    var turns = 0
    while let due = runtime.nextDue, due <= day, turns <= 86_400 {
      runtime.receiverIsReadable(at: due)
      runtime.timePassed(at: due)
      turns += 1
    }
    #expect(turns <= 86_400, "more than one a second")
    // Today's figure with some margin: a search every few minutes, a retry every minute.
    #expect(turns <= 10_000, "\(fault.rawValue): \(turns)")
  }
}
