import Energy
import Ports
import PowerControl
import Quantities
import ReceiverProtocols
import Testing
import Tracking

@testable import Runtime

/// A receiver that says one sentence whenever it is asked, as long as it is there.
private final class TalkingReceiver: ReceiverPort {
  let name = "talking receiver"
  let descriptor: Int32? = nil
  var failure: ReceiverError?
  private(set) var opened = 0

  func open() throws(ReceiverError) {
    if let failure { throw failure }
    opened += 1
  }

  func read(limit: Int) throws(ReceiverError) -> [UInt8] {
    if let failure { throw failure }
    return Array("$PMTK000*32\r\n".utf8)
  }

  func write(_ bytes: [UInt8]) throws(ReceiverError) {}
  func close() {}
}

private final class SupplySwitch: PowerSwitchPort {
  let name = "supply switch"
  let lines: Set<PowerLine> = [.supply]
  func set(_ line: PowerLine, active: Bool) throws(PowerSwitchError) {}
}

/// What the conductor makes of a receiver on its way to rest.
@Suite struct RestingReceiverTests {
  private let receiver = TalkingReceiver()

  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// On for 10 s, and no longer wanted from then on.
  private func resting(_ sleepCommand: SleepCommand, hasBackup: Bool = true) -> Conductor {
    let wiring = PowerWiring(
      means: .lines, lines: [.supply], settle: 0, hasBackupSupply: hasBackup,
      sleepCommand: sleepCommand, family: .ubloxM8)
    var settings = TrackerSettings()
    settings.power = PowerSequencer(wiring).means
    let conductor = Conductor(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(), wiring: wiring,
      board: Board(receiver: receiver, powerSwitch: SupplySwitch()))
    conductor.start(restoring: nil, at: .zero)
    conductor.receiverIsReadable(at: at(5))
    conductor.command(.gnss(.off), at: at(10))
    return conductor
  }

  private func run(_ conductor: Conductor, until end: Double) {
    while let due = conductor.nextDue, due <= at(end) { conductor.timePassed(at: due) }
  }

  /// It draws all its current while it saves its orbits, which here is given up after 5 s.
  @Test func savingOrbitsIsNotOff() {
    let conductor = resting(.none, hasBackup: false)
    #expect(conductor.tracker.gnssState == .off)
    run(conductor, until: 20)
    #expect(conductor.power.sequencer.receiver == .off)
    let totals = conductor.energy.totals(at: at(20))
    #expect(abs(totals[.acquiring].duration.value - 15) < 1e-6)
    #expect(abs(totals[.off].duration.value - 5) < 1e-6)
  }

  /// It obeys at once; what takes 4.5 s is to be sure of it.
  @Test func whatFallsSilentHasSleptSinceTheCommand() {
    let conductor = resting(.auto)
    #expect(conductor.tracker.gnssState == .sleeping)
    run(conductor, until: 20)
    #expect(conductor.power.sequencer.receiver == .asleep)
    let totals = conductor.energy.totals(at: at(20))
    #expect(abs(totals[.acquiring].duration.value - 10) < 1e-6)
    #expect(abs(totals[.sleeping].duration.value - 10) < 1e-6)
  }

  /// Cut off because nobody could hear it fall asleep: its line stays closed.
  @Test func aLineThatIsLostWhileItFallsAsleepStaysClosed() {
    let conductor = resting(.auto)
    receiver.failure = .lost("unplugged")
    conductor.receiverIsReadable(at: at(11))
    #expect(conductor.power.sequencer.receiver == .off)
    receiver.failure = nil
    let opened = receiver.opened
    run(conductor, until: 300)
    #expect(receiver.opened == opened)
    #expect(conductor.energy.state == .off)
  }
}
