import Records
import Core
import Testing
import VirtualDevice

@Suite struct VirtualMonitorTests {
  func readings(
    seed: UInt64, count: Int, of monitor: VirtualMonitorSettings = .init()
  ) throws -> [PowerReading] {
    let board = VirtualBoard(
      groundTruth: StandingTruth(), settings: .init(monitor: monitor, seed: seed))
    try board.powerSwitch.set(.supply, active: true)
    board.advance(to: .zero + 100)
    #expect(board.receiver.gnssState == .tracking)
    return try (0..<count).map { _ in try board.monitor.read() }
  }

  @Test("readings come in the chip's steps of current and voltage")
  func readsInStepsOf25Microamperes() throws {
    for reading in try readings(seed: 1, count: 100) {
      let steps = reading.current.value / 25e-6
      #expect(abs(steps - steps.rounded()) < 1e-6)
      let volts = reading.voltage.value / 1.25e-3
      #expect(abs(volts - volts.rounded()) < 1e-6)
      #expect(!reading.isBelowFloor)
      #expect(reading.taken == BootInstant(nanoseconds: 100_000_000_000))
    }
  }

  @Test("the claimed uncertainty holds") func itsClaimedUncertaintyHolds() throws {
    // The mean of many readings keeps each monitor's own error: compare 200 monitors.
    let errors = try (0..<200).map { seed in
      let readings = try readings(seed: UInt64(seed), count: 100)
      let mean = readings.reduce(0) { $0 + $1.current.value } / 100
      return (mean - 0.029) / readings[0].currentUncertainty.value
    }
    let spread = (errors.reduce(0) { $0 + $1 * $1 } / 200).squareRoot()
    #expect((0.3...1.1).contains(spread))
    #expect(errors.allSatisfy { $0.magnitude < 3 })
  }

  @Test("another chip has its own steps, and random errors fill the limits")
  func otherChip() throws {
    let monitor = VirtualMonitorSettings(
      chip: .ina228, shunt: 0.05, shuntTolerance: 0.02, spread: .anywhere)
    let errors = try (0..<200).map { seed in
      let readings = try readings(seed: UInt64(seed), count: 20, of: monitor)
      let steps = readings[0].current.value / 6.25e-6
      #expect(abs(steps - steps.rounded()) < 1e-6)
      let mean = readings.reduce(0) { $0 + $1.current.value } / 20
      return (mean - 0.029) / 0.029
    }
    // A uniform distribution of this limit: standard deviation 1.15 %, and the scatter of 20.
    let spread = (errors.reduce(0) { $0 + $1 * $1 } / 200).squareRoot()
    #expect((0.010...0.015).contains(spread))
    #expect(errors.allSatisfy { $0.magnitude < 0.04 })
  }

  @Test("another run has the same errors and other noise") func anotherRun() throws {
    func currents(_ run: UInt64) throws -> [Double] {
      try readings(seed: 3, count: 400, of: VirtualMonitorSettings(spread: .anywhere, run: run))
        .map(\.current.value)
    }
    let runs = try [currents(0), currents(1), currents(2)]
    #expect(runs[0] != runs[1] && runs[1] != runs[2])
    let means = runs.map { $0.reduce(0, +) / 400 }
    // 2 % of ripple over 20: 0.1 %, while the errors are up to 1.1 % and 0.1 mA.
    #expect(means.allSatisfy { ($0 / means[0] - 1).magnitude < 0.004 })
  }

  @Test("a backup current is below the monitor's offset")
  func backupCurrent() throws {
    let board = VirtualBoard(groundTruth: StandingTruth())
    for _ in 0..<50 {
      let reading = try board.monitor.read()
      #expect(reading.isBelowFloor)
      #expect(reading.current.magnitude <= 150e-6)
    }
  }
}
