import Hardware
import Foundation
import GNSS
import Records

/// External power on a real kernel: a bouncing and storming GPIO line, and a supply of the kernel's
/// test driver (drivers/power/supply/test_power.c) that appears and disappears.
struct IgnitionScenario: Scenario {
  let name = "ignition"
  let limit = 400

  func live(on bench: Bench) throws -> [Figure] {
    try bench.chip.appear()
    return try line(bench) + supply()
  }

  private func line(_ bench: Bench) throws -> [Figure] {
    var settings = ExternalPowerSettings()
    settings.line = try GpioLine(parsing: "IGNITION")
    let source = SourceBench(try ExternalPower(settings).required("no line in the settings"))
    let first = try source.serve(for: 10)
    let switched = try source.serve(for: 20) { tick in
      // On after five seconds, with 21 edges within 10 ms.
      guard tick == 500 else { return }
      for edge in 0...20 {
        try bench.chip.pull(Bench.ignition, up: edge % 2 == 0)
        usleep(500)
      }
    }
    let storm = try Storm(on: bench.chip, Bench.ignition)
    let wakes = try source.wakes {
      _ = try source.serve(for: 60) { _ in
        for _ in 0..<10 {
          try storm.edge()
          usleep(500)
        }
      }
    }
    try bench.chip.pull(Bench.ignition, up: false)
    _ = try source.serve(for: 60)
    let rest = try source.wakes { _ = try source.serve(for: 3600, every: 1000) }
    try require(
      first == [.ignition(isOn: false)] && switched == [.ignition(isOn: true)],
      "the line: \(first), then \(switched)")
    try require(source.evidence.last == .ignition(isOn: false), "off in the end is not told")
    return [
      Figure("changes told of a bouncing ignition", Double(switched.count), atMost: 1, atLeast: 1),
      // Two for each pause: eight that double from 50 ms, then those of ten seconds.
      Figure("wakes in a minute of a storm on its line", wakes, atMost: 28),
      Figure("wakes in an hour without an edge", rest, atMost: 0),
    ]
  }

  private func supply() throws -> [Figure] {
    var settings = ExternalPowerSettings()
    settings.supply = "test_ac"
    let source = SourceBench(try ExternalPower(settings).required("no supply in the settings"))
    _ = try source.serve(for: 2)
    try require(source.failures.count == 1, "the missing supply: \(source.failures)")
    try tool("modprobe", "-d", Bench.kernel, "test_power")
    let came = try source.serve(for: 310, every: 1000)
    try Kernel.write("off", to: Self.online)
    let off = try source.serve(for: 5)
    let foreign = try source.wakes {
      _ = try source.serve(for: 60) { tick in
        guard tick % 10 == 0 else { return }
        try Kernel.write("\(tick % 90)", to: Self.battery)
      }
    }
    try Kernel.write("on", to: Self.online)
    let on = try source.serve(for: 5)
    try tool("rmmod", "test_power", within: 60)
    _ = try source.serve(for: 60)
    try tool("modprobe", "-d", Bench.kernel, "test_power")
    let back = try source.serve(for: 310, every: 1000)
    try require(
      came == [.ignition(isOn: true)] && off == [.ignition(isOn: false)]
        && on == [.ignition(isOn: true)] && back.last == .ignition(isOn: true),
      "the supply: \(came), \(off), \(on), \(back)")
    try require(
      source.failures.contains { $0.contains("has disappeared") }, "its going: \(source.failures)")
    return [
      Figure("wakes by 600 messages of another supply", foreign, atMost: 0, isHeadline: true),
      Figure(
        "lines in the log about a supply that comes and goes", Double(source.failures.count),
        atMost: 3),
    ]
  }

  private static let online = "/sys/module/test_power/parameters/ac_online"
  private static let battery = "/sys/module/test_power/parameters/battery_capacity"
}
