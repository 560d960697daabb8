import Foundation

/// The switch alone on simulated chips: `switch-exercise` reports its results.
struct SwitchScenario: Scenario {
  let name = "switch"
  let travelsInTime = false

  func live(on bench: Bench) throws -> [Figure] {
    let program = Bench.program("switch-exercise")
    let output = try tool(program)
    let passed = output.split(separator: "\n").count { $0.hasPrefix("ok ") }
    return [Figure("checks of the GPIO switch", Double(passed), atLeast: 10)]
  }
}
