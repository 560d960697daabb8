import GNSS
import Testing

@testable import Hardware

@Suite struct StartingLevelsTests {
  typealias Levels = [PowerLine: Bool]

  static func levels(
    _ policy: LinePolicy, lines: Set<PowerLine> = Set(PowerLine.allCases), wanted: Levels = [:],
    found: Levels = [:]
  ) -> Levels {
    let plan = StartingLevels.plan(lines, onStart: policy, wanted: wanted, found: found)
    return Dictionary(uniqueKeysWithValues: plan.map { ($0.line, $0.isActive) })
  }

  @Test("off starts with safe levels") func offStartsSafe() {
    let found: Levels = [.supply: true, .uart: true]
    #expect(
      Self.levels(.off, found: found)
        == [.supply: false, .backup: true, .uart: false, .wake: false, .reset: false])
  }

  /// The sequencer connects the serial line once the supply has settled.
  @Test("on supplies the module and leaves the serial line disconnected")
  func onSuppliesAndLeavesTheSerialLineShut() {
    #expect(
      Self.levels(.on) == [.supply: true, .backup: true, .uart: false, .wake: false, .reset: false])
  }

  @Test("keep leaves both lines unchanged", arguments: [true, false], [true, false])
  func keepTakesBothAsTheyAre(supply: Bool, uart: Bool) {
    let levels = Self.levels(.keep, found: [.supply: supply, .uart: uart])
    #expect(levels[.supply] == supply)
    #expect(levels[.uart] == (supply && uart))
  }

  @Test("a later request overrides the starting level")
  func whatWasToldLaterCountsMoreThanTheStart() {
    for policy in LinePolicy.allCases {
      let levels = Self.levels(
        policy, wanted: [.supply: true, .uart: true, .wake: false],
        found: [.supply: false, .uart: false])
      #expect(levels[.supply] == true)
      #expect(levels[.uart] == true)
      #expect(levels[.wake] == false)
    }
  }

  /// A line that alone is reacquired follows the supply that is still held.
  @Test("a reacquired serial line follows the supply", arguments: [true, false])
  func aReturningSerialLineGoesByTheSupply(isOn: Bool) {
    let levels = Self.levels(.on, lines: [.uart], wanted: [.supply: isOn, .uart: true])
    #expect(levels == [.uart: isOn])
  }

  /// Every set of lines, policy, requested order and initial level.
  @Test("the serial line never conducts without supply")
  func theSerialLineNeverConductsWithoutSupply() {
    for bits in 0..<32 {
      let lines = Set(
        PowerLine.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
      for policy in LinePolicy.allCases {
        for situation in 0..<81 {
          let told = [situation % 3, situation / 3 % 3], seen = [situation / 9 % 3, situation / 27]
          let plan = StartingLevels.plan(
            lines, onStart: policy, wanted: Self.decoded(told), found: Self.decoded(seen))
          #expect(Set(plan.map(\.line)) == lines)
          #expect(plan.count == lines.count)
          let supply = plan.firstIndex { $0.line == .supply }
          let wake = plan.firstIndex { $0.line == .wake }
          if let supply, let wake { #expect(wake < supply, "driven before, let go before") }
          let uart = plan.firstIndex { $0.line == .uart }
          guard let supply, let uart else { continue }
          #expect(plan[supply].isActive || !plan[uart].isActive)
          #expect(plan[supply].isActive == (supply < uart))
        }
      }
    }
  }

  private static func decoded(_ code: [Int]) -> Levels {
    var levels: Levels = [:]
    for (line, value) in zip([PowerLine.supply, .uart], code) where value < 2 {
      levels[line] = value == 1
    }
    return levels
  }
}
