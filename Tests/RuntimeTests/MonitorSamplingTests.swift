import Records
import Core
import Ports
import GNSS
import Testing
import Tracking

@testable import Runtime

/// A monitor in memory: returns the set reading, and counts the queries.
private final class MemoryMonitor: PowerMonitorPort {
  let name = "memory monitor"
  var scope = PowerScope.receiver
  var now = BootInstant.zero
  var current: Amperes = 0.03
  var failure: PortError?
  var remarks: [String] = []
  private(set) var reads = 0

  func read() throws(PortError) -> PowerReading {
    reads += 1
    if let failure { throw failure }
    return PowerReading(
      taken: now, current: current, voltage: 3.3, currentUncertainty: 0.0002)
  }

  func takeWarnings() -> [String] {
    defer { remarks = [] }
    return remarks
  }
}

private final class ObedientSwitch: PowerSwitchPort {
  let name = "obedient switch"
  let lines: Set<PowerLine> = [.supply]
  func set(_ line: PowerLine, active: Bool) throws(PortError) {}
}

private final class SilentReceiver: ReceiverPort {
  let name = "silent receiver"
  let interest: Interest? = nil
  func open() throws(PortError) {}
  func read(limit: Int) throws(PortError) -> [UInt8] { [] }
  func write(_ bytes: [UInt8]) throws(PortError) {}
  func close() {}
}

/// The sampling plan and how the readings are used.
@Suite struct MonitorSamplingTests {
  private let monitor = MemoryMonitor()
  private let runtime: TrackerRuntime
  private var logEvents: [LogEvent] { heard.logEvents }
  private let heard = Heard()

  private final class Heard {
    var logEvents: [LogEvent] = []
  }

  init() { runtime = Self.runtime(monitor) }

  private static func runtime(_ monitor: MemoryMonitor?) -> TrackerRuntime {
    TrackerRuntime(
      tracker: Tracker(settings: TrackerSettings()), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(),
      wiring: PowerWiring(mechanism: .lines, lines: [.supply], settle: 0),
      devices: Devices(receiver: SilentReceiver(), powerSwitch: ObedientSwitch(), monitor: monitor))
  }

  private func run(until end: Double) {
    runtime.onLog = { [heard] logEvent, _ in heard.logEvents.append(logEvent) }
    runtime.start(restoring: nil, at: .zero)
    while let due = runtime.nextDue, due <= .zero + Seconds(end) {
      monitor.now = due
      runtime.timePassed(at: due)
    }
  }

  private func status(at second: Double) -> JSONValue {
    StatusReport(runtime, at: .zero + Seconds(second), started: .zero).json
  }

  /// With a monitor the board wakes exactly when it would wake without one.
  @Test("measuring costs no wakes") func measuringCostsNoWakes() {
    let plain = Self.runtime(nil)
    plain.start(restoring: nil, at: .zero)
    runtime.start(restoring: nil, at: .zero)
    var wakes = 0
    while let due = plain.nextDue, due < .zero + .hours(6), wakes < 1000 {
      #expect(runtime.nextDue == due)
      let asked = monitor.reads
      monitor.now = due
      plain.timePassed(at: due)
      runtime.timePassed(at: due)
      #expect(monitor.reads - asked <= 4, "a few readings a wake")
      wakes += 1
    }
    #expect(wakes > 5 && runtime.nextDue == plain.nextDue)
    #expect(monitor.reads > wakes / 2)
  }

  /// The reading at a wake covers the idle time before it: 300 s off at 30 mA. A receiver that
  /// sends nothing while it searches causes no readings: that time is modelled, and marked as such.
  @Test("a reading at a wake is counted for the state that ends")
  func readingsGoToTheStateThatEnds() {
    run(until: 600)
    #expect(abs(runtime.energy.totals(at: .zero + 600).all.duration.value - 600) < 1e-6)
    let states = status(at: 600)["energy"]?["states"]
    let off = states?["off"]
    #expect(off?["measured_duration_s"]?.number == 300, "\(states?.text ?? "")")
    // 0.2 mA × 3.3 V × 300 s
    #expect(off?["energy_uncertainty_J"]?.number == 0.198)
    let searching = states?["acquiring"]
    #expect(searching?["measured_duration_s"]?.number == 0)
    #expect(searching?["energy_uncertainty_J"] == .null)
  }

  @Test("the columns of the energies stay apart, however long their numbers are")
  func columns() {
    monitor.current = 1e7
    run(until: 600)
    let table = EnergyReport(runtime.energy, at: .zero + 600).table
    for line in table.split(separator: "\n") where line.contains(" ± ") {
      #expect(line.matches(of: #/\S {2,}\S/#).count == 4, "\(line)")
    }
    #expect(table.contains("all   "), "\(table)")
  }

  /// A battery feeds the whole board: its current is shown, but not assigned to the receiver's
  /// states.
  @Test("the current of the whole board is shown, and not assigned to the receiver")
  func theBoardsCurrentIsNotTheReceivers() {
    monitor.scope = .board
    monitor.current = 0.4
    run(until: 600)
    #expect(runtime.energy.totals(at: .zero + 600).all.measuredDuration == 0)
    let status = status(at: 600)
    #expect(status["current_mA"]?.number == 400)
    #expect(status["energy"]?["monitor_scope"] == .string("board"))
    #expect(status["energy"]?["reading"]?["voltage_V"]?.number == 3.3)
  }

  @Test("a failing monitor is reported once, and not shown after it recovers")
  func aFailureIsSaidOnceAndEnds() {
    monitor.failure = PortError("no ina226 at 0x40 (power_monitor.address)")
    run(until: 600)
    #expect(logEvents.filter { $0.kind == "monitor-failed" }.count == 1)
    #expect(status(at: 600)["state"] == .string("degraded"))
    let failure = status(at: 600)["energy"]?["monitor_failure"]?.string
    #expect(failure?.contains("power_monitor.address") == true)
    // What was not measured is modelled, and not counted as measured.
    #expect(runtime.energy.totals(at: .zero + 600).all.measuredDuration == 0)
    monitor.failure = nil
    runtime.command(.gnss(.off), at: .zero + 601)
    #expect(status(at: 601)["energy"]?["monitor_failure"] == .null)
  }

  @Test("a reversed monitor is reported, and its readings are no energy")
  func reversed() {
    monitor.current = -0.029
    run(until: 600)
    let told = logEvents.filter { $0.kind == "monitor-failed" }
    #expect(told.count == 1 && told.first?.reason.contains("VIN+ and VIN-") == true)
    #expect(runtime.energy.totals(at: .zero + 600).all.measuredDuration == 0)
    #expect(runtime.energy.totals(at: .zero + 600).all.energy >= 0)
    #expect(status(at: 600)["energy"]?["monitor_failure"]?.string?.contains("VIN+") == true)
    // A negative current that the monitor's offset explains is not reversed.
    #expect(reading(-0.0007, within: 0.0002).isReversed)
    #expect(!reading(-0.0005, within: 0.0003).isReversed)
  }

  private func reading(_ current: Amperes, within uncertainty: Amperes) -> PowerReading {
    PowerReading(taken: .zero, current: current, voltage: 3.3, currentUncertainty: uncertainty)
  }

  @Test("a monitor's remark reaches the log once") func remarksReachTheJournal() {
    monitor.remarks = ["the driver assumes 10 mΩ"]
    run(until: 60)
    #expect(logEvents.filter { $0.kind == "monitor" }.map(\.reason) == ["the driver assumes 10 mΩ"])
  }
}
