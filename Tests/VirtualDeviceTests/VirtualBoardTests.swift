import Records
import Ports
import Core
import Testing
import VirtualDevice

@Suite struct VirtualBoardTests {
  @Test("the clock jumps while nothing is due") func clockJumpsWhileNothingIsDue() {
    let board = VirtualBoard(groundTruth: StandingTruth())
    board.advance(to: .zero + .days(1000))
    #expect(board.receiver.epochs == 0)
    #expect(board.clock.time(at: board.clock.now) == morning + .days(1000))
    board.advance(to: .zero + 5)
    #expect(board.clock.now == BootInstant.zero + .days(1000))
  }

  @Test("everything due in between is processed") func everythingDueOnTheWayHappens() throws {
    let board = VirtualBoard(groundTruth: drive(seconds: 4000))
    try board.receiver.open()
    try board.coarse?.request()
    try board.powerSwitch.set(.supply, active: true)
    board.advance(to: .zero + 3600)
    // It boots in the first second, and the last second's bytes are still in transit.
    #expect(board.receiver.epochs == 3599)
    guard case .location(let observation)? = try board.coarse?.poll() else {
      return #expect(Bool(false), "the coarse source has told no location")
    }
    #expect(observation.source == "virtual")
    #expect(board.nextEvent.map { $0 > board.clock.now } == true)
  }

  @Test("unread bytes are bounded, and the lost ones counted")
  func unreadBytesDoNotGrowWithoutBound() throws {
    let board = VirtualBoard(groundTruth: StandingTruth())
    try board.receiver.open()
    try board.powerSwitch.set(.supply, active: true)
    board.advance(to: .zero + .hours(2))
    #expect(board.receiver.bytesLost > 0)
    #expect(try board.receiver.read(limit: .max).count <= 1 << 20)
  }

  @Test("the virtual board ends with its ground truth")
  func end() {
    let board = VirtualBoard(groundTruth: drive(seconds: 100))
    board.advance(to: .zero + 99)
    #expect(!board.isOver && board.end == nil)
    board.advance(to: .zero + .hours(3))
    #expect(board.isOver)
    #expect(board.clock.now == BootInstant.zero + 100)
  }

  /// Ten minutes on, ten off, five times over, sampled once a second while on: the meter's sum must
  /// agree with the currents that the receiver truly drew, within what the monitor promises.
  @Test("the meter finds the energy that the receiver drew", arguments: 1...10)
  func meterFindsWhatTheReceiverDrew(seed: UInt64) throws {
    let board = VirtualBoard(groundTruth: StandingTruth(), settings: .init(seed: seed))
    let model = board.receiver.model
    var meter = EnergyMeter(model: model, at: .zero)
    var truth = 0.0
    for _ in 0..<5 {
      for (state, seconds) in [(GnssState.acquiring, 600), (.off, 600)] {
        try board.powerSwitch.set(.supply, active: state != .off)
        meter.stateChanged(to: board.receiver.gnssState, at: board.clock.now)
        for _ in 0..<seconds {
          let current = model.current(in: board.receiver.gnssState)
          meter.add(try board.monitor.read())
          board.advance(to: board.clock.now + 1)
          truth += (current * model.supply).value
          meter.stateChanged(to: board.receiver.gnssState, at: board.clock.now)
        }
      }
    }
    let totals = meter.totals(at: board.clock.now)
    let uncertainty = try #require(totals.all.energyUncertainty).value
    #expect(totals.all.basis == .measured)
    #expect(abs(totals.all.energy.value - truth) < 3 * uncertainty)
    #expect((0.002...0.02).contains(uncertainty / truth))
    #expect(abs(totals.on.duration.value - 3000) < 0.001)
    #expect(totals[.acquiring].duration >= 15 && totals[.acquiring].duration < 120)
  }
}
