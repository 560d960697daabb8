import Records
import Ports
import GNSS
import Core
import Testing
import Tracking

@testable import Runtime

/// A receiver that sends one sentence on each query, as long as it is connected.
private final class TalkingReceiver: ReceiverPort {
  let name = "talking receiver"
  let interest: Interest? = nil
  var failure: PortError?
  private(set) var opened = 0

  func open() throws(PortError) {
    if let failure { throw failure }
    opened += 1
  }

  func read(limit: Int) throws(PortError) -> [UInt8] {
    if let failure { throw failure }
    return Array("$PMTK000*32\r\n".utf8)
  }

  func write(_ bytes: [UInt8]) throws(PortError) {}
  func close() {}
}

private final class SupplySwitch: PowerSwitchPort {
  let name = "supply switch"
  let lines: Set<PowerLine> = [.supply]
  func set(_ line: PowerLine, active: Bool) throws(PortError) {}
}

/// How the runtime handles a receiver that is going to sleep.
@Suite struct RestingReceiverTests {
  private let receiver = TalkingReceiver()

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// On for 10 s, and then no longer needed.
  private func resting(
    _ sleepCommand: SleepCommand, hasBackup: Bool = true, mechanism: PowerWiring.Mechanism = .lines
  ) -> TrackerRuntime {
    let wiring = PowerWiring(
      mechanism: mechanism, lines: mechanism == .lines ? [.supply] : [], settle: 0,
      hasBackupSupply: hasBackup,
      sleepCommand: sleepCommand, family: .ubloxM8)
    var settings = TrackerSettings()
    settings.power = PowerSequencer(wiring).capabilities
    let runtime = TrackerRuntime(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(), wiring: wiring,
      devices: Devices(receiver: receiver, powerSwitch: SupplySwitch()))
    runtime.start(restoring: nil, at: .zero)
    runtime.receiverIsReadable(at: at(5))
    runtime.command(.gnss(.off), at: at(10))
    return runtime
  }

  private func run(_ runtime: TrackerRuntime, until end: Double) {
    while let due = runtime.nextDue, due <= at(end) { runtime.timePassed(at: due) }
  }

  /// It draws full current while it saves its navigation data; the timeout for that is 5 s here.
  @Test("a receiver that saves its navigation data is not counted as off")
  func savingNavigationDataIsNotOff() {
    let runtime = resting(.none, hasBackup: false)
    #expect(runtime.activity.positioningState == .off)
    #expect(runtime.activity.energyState == .acquiring)
    run(runtime, until: 20)
    #expect(runtime.power.sequencer.receiver == .off)
    let totals = runtime.energy.totals(at: at(20))
    #expect(abs(totals[.acquiring].duration.value - 15) < 1e-6)
    #expect(abs(totals[.off].duration.value - 5) < 1e-6)
  }

  @Test("a receiver without a switch counts as off, and as drawing its current")
  func unswitched() {
    let runtime = resting(.none, mechanism: .none)
    #expect(runtime.activity.positioningState == .off)
    #expect(runtime.activity.energyState == .acquiring)
    run(runtime, until: 20)
    #expect(runtime.energy.state == .acquiring)
  }

  /// It accepts the command at once; confirming that takes 4.5 s.
  @Test("a receiver that falls silent is counted as asleep since the command")
  func whatFallsSilentHasSleptSinceTheCommand() {
    let runtime = resting(.auto)
    #expect(runtime.activity.positioningState == .sleeping)
    #expect(runtime.activity.energyState == .sleeping)
    run(runtime, until: 20)
    #expect(runtime.power.sequencer.receiver == .asleep)
    let totals = runtime.energy.totals(at: at(20))
    #expect(abs(totals[.acquiring].duration.value - 10) < 1e-6)
    #expect(abs(totals[.sleeping].duration.value - 10) < 1e-6)
  }

  /// Cut off because its sleep could not be confirmed: its line stays closed.
  @Test("a line that is lost while the receiver falls asleep stays closed")
  func aLineThatIsLostWhileItFallsAsleepStaysClosed() {
    let runtime = resting(.auto)
    receiver.failure = .lost("unplugged")
    runtime.receiverIsReadable(at: at(11))
    #expect(runtime.power.sequencer.receiver == .off)
    receiver.failure = nil
    let opened = receiver.opened
    run(runtime, until: 300)
    #expect(receiver.opened == opened)
    #expect(runtime.energy.state == .off)
  }
}
