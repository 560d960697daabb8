import Records
import Core
import Testing
import VirtualDevice

@testable import Analysis

/// Charge by the receiver's state, compared with known currents.
@Suite struct StateMeterTests {
  private func meter(_ changes: [(Double, String?)], window: Seconds = 0.035) -> StateMeter {
    StateMeter(
      changes.map { StateChange(state: $1, instant: .zero + Seconds($0)) }, window: window)
  }

  private func reading(_ time: Double, _ milliamperes: Double) -> PowerReading {
    PowerReading(
      taken: .zero + Seconds(time), current: Amperes(milliamperes: milliamperes), voltage: 3.3,
      currentUncertainty: Amperes(milliamperes: 0.1))
  }

  private func charge(_ meter: StateMeter, _ state: String) -> StateCharge {
    meter.result.first { $0.state == state }?.charge ?? StateCharge()
  }

  @Test("a change between two readings charges neither state for the other") func change() {
    var meter = meter([(0, "off"), (60.4, "acquiring")])
    for second in 1...120 {
      meter.add(reading(Double(second), second <= 60 ? 0.1 : 40), isAfterGap: false)
    }
    let (off, acquiring) = (charge(meter, "off"), charge(meter, "acquiring"))
    #expect((off.measured - 59.4).magnitude < 1e-6)
    #expect((off.charge.value - 0.1e-3 * 59.4).magnitude < 1e-12)
    #expect((acquiring.charge.value - 40e-3 * 59.6).magnitude < 1e-9)
    #expect(off.peak == Amperes(milliamperes: 0.1) && off.periods == 1)
    #expect((off.systematicCharge.value - 0.1e-3 * 59.4).magnitude < 1e-12)
  }

  @Test("a reading whose conversion began before the change belongs to neither state")
  func mixedReading() {
    var meter = meter([(0, "off"), (10, "tracking")], window: 0.5)
    for tenth in 11...300 {
      let time = Double(tenth) / 10
      // Conversions of half a second; the chip keeps the last result until the next.
      let current = time < 10 ? 1.0 : time < 11 ? 1 + 30 * (time - 10) : 31
      meter.add(reading(time, current), isAfterGap: false)
    }
    let off = charge(meter, "off")
    #expect((off.charge.value - 1e-3 * off.measured.value).magnitude < 1e-9)
    let tracking = charge(meter, "tracking")
    #expect((tracking.charge.value - 31e-3 * 20).magnitude < 1e-9)
  }

  @Test("states without a reading have time but no charge") func shortStates() {
    var meter = meter([(0, "off"), (5.2, "acquiring"), (5.5, "tracking"), (5.6, "off")])
    for second in 1...10 { meter.add(reading(Double(second), 1), isAfterGap: false) }
    #expect((charge(meter, "acquiring").unresolved - 0.3).magnitude < 1e-9)
    #expect(charge(meter, "acquiring").charge == 0 && charge(meter, "acquiring").periods == 1)
    #expect((charge(meter, "off").measured - 8.6).magnitude < 1e-6)
    #expect(charge(meter, "off").periods == 2)
  }

  @Test("missing time is charged to no state, but listed for the states it spans") func gap() {
    var meter = meter([(0, "off"), (20, "tracking")])
    for second in [1, 2, 3, 30, 31] {
      meter.add(reading(Double(second), 10), isAfterGap: second == 30)
    }
    let (off, tracking) = (charge(meter, "off"), charge(meter, "tracking"))
    #expect(off.measured == 2 && (off.missing - 17).magnitude < 1e-6)
    #expect((tracking.measured - 1).magnitude < 1e-6 && (tracking.missing - 10).magnitude < 1e-6)
  }

  @Test("while the state is unknown, nothing is attributed") func unknown() {
    var meter = meter([(10, "off"), (20, nil), (30, "off")])
    for second in 1...40 { meter.add(reading(Double(second), 10), isAfterGap: false) }
    #expect((charge(meter, "off").measured - 20).magnitude < 1e-6)
    #expect((charge(meter, "unknown").measured - 19).magnitude < 1e-6)
    #expect(meter.result.count == 2)
  }

  @Test("a flood of states is merged") func manyStates() {
    var meter = meter((0..<500).map { (Double($0), "state \($0)") })
    for half in 1...1000 { meter.add(reading(Double(half) / 2, 10), isAfterGap: false) }
    #expect(meter.result.count == 33 && charge(meter, "other").measured > 400)
  }

  @Test(
    "over a day of states of at least a minute, each state's charge is within 0.1 %",
    arguments: [1, 2, 3] as [UInt64])
  func day(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let day = MadeUpDay(using: &random)
    var meter = StateMeter(day.changes, window: 0.035)
    for second in 1..<86_400 {
      let time = Double(second) + Double.random(in: 0..<0.01, using: &random)
      // The chip's conversion: the mean of the 35 ms before, in its steps of 25 µA.
      let mean = (0..<8).reduce(0.0) { $0 + day.current(at: time - 0.035 * Double($1) / 7) } / 8
      meter.add(reading(time, (mean * 40).rounded() / 40), isAfterGap: false)
    }
    for (state, charge) in meter.result {
      let truth = day.charge(in: state)
      let error = (charge.charge.value - truth) / truth
      #expect(error.magnitude <= 0.001, "\(state): \(error)")
    }
    #expect(meter.result.count == 4)
  }
}

/// A receiver's day whose currents vary within its states.
private struct MadeUpDay {
  private var starts: [Double] = []
  private var states: [String] = []
  private var levels: [Double] = []

  private static let nominal = ["off": 1.0, "acquiring": 46.0, "tracking": 38.0, "sleeping": 2.0]

  init(using random: inout SeededRandom) {
    var time = -1.0
    while time < 86_400 {
      let state =
        Self.nominal.keys.sorted().filter { $0 != states.last }.randomElement(using: &random)
        ?? "off"
      starts.append(time)
      states.append(state)
      levels.append((Self.nominal[state] ?? 0) * Double.random(in: 0.8...1.2, using: &random))
      time += Double.random(in: 60...900, using: &random)
    }
  }

  var changes: [StateChange] {
    zip(starts, states).map { StateChange(state: $1, instant: .zero + Seconds(max(0, $0))) }
  }

  /// Within a tenth of its level, with changes over half a minute.
  func current(at time: Double) -> Double {
    let index = self.index(at: time)
    return levels[index] * (1 + 0.1 * cosine(time))
  }

  private func index(at time: Double) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= time { low = middle } else { high = middle }
    }
    return low
  }

  /// A triangle between -1 and 1 with a period of 30 s.
  private func cosine(_ time: Double) -> Double {
    let phase = (time / 30).truncatingRemainder(dividingBy: 1)
    return 4 * (phase - 0.5).magnitude - 1
  }

  /// In coulombs, from the first reading on, by steps of a hundredth of a second.
  func charge(in state: String) -> Double {
    var sum = 0.0
    for (index, start) in starts.enumerated() where states[index] == state {
      let end = min(86_399, index + 1 < starts.count ? starts[index + 1] : 86_399)
      let begin = max(1, start)
      guard end > begin else { continue }
      let steps = Int(((end - begin) * 20).rounded(.up))
      let width = (end - begin) / Double(steps)
      for step in 0..<steps {
        let time = begin + (Double(step) + 0.5) * width
        sum += levels[index] * (1 + 0.1 * cosine(time)) * width
      }
    }
    return sum / 1000
  }
}
