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
  private func resting(_ family: ReceiverFamily) -> Conductor {
    let wiring = PowerWiring(means: .lines, lines: [.supply], settle: 0, family: family)
    var settings = TrackerSettings()
    settings.power = PowerSequencer(wiring).means
    let conductor = Conductor(
      tracker: Tracker(settings: settings), decoder: ReceiverDecoder(),
      meter: EnergyMeter(model: .ubloxM8, at: .zero), commits: CommitSettings(), wiring: wiring,
      board: Board(receiver: receiver, powerSwitch: SupplySwitch()))
    conductor.start(restoring: nil, clock: nil, at: .zero)
    conductor.receiverIsReadable(at: at(5))
    conductor.command(.gnss(.off), at: at(10))
    return conductor
  }

  private func run(_ conductor: Conductor, until end: Double) {
    while let due = conductor.nextDue, due <= at(end) { conductor.timePassed(at: due) }
  }

  /// It draws all its current until it sleeps, 4.5 s after the command.
  @Test func fallingAsleepIsNoSleep() {
    let conductor = resting(.ubloxM8)
    #expect(conductor.tracker.gnssState == .sleeping)
    run(conductor, until: 20)
    #expect(conductor.sequencer.stageName == "asleep")
    let totals = conductor.meter.totals(at: at(20))
    #expect(abs(totals[.acquiring].duration.value - 14.5) < 1e-6)
    #expect(abs(totals[.sleeping].duration.value - 5.5) < 1e-6)
  }

  /// Cut off because nobody could hear it fall asleep: its line stays closed.
  @Test func aLineThatIsLostWhileItFallsAsleepStaysClosed() {
    let conductor = resting(.ubloxM8)
    receiver.failure = .lost("unplugged")
    conductor.receiverIsReadable(at: at(11))
    #expect(conductor.sequencer.stageName == "off")
    receiver.failure = nil
    let opened = receiver.opened
    run(conductor, until: 300)
    #expect(receiver.opened == opened)
    #expect(conductor.meter.state == .off)
  }
}
