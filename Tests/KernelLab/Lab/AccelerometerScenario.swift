import Hardware
import Foundation
import Records

/// An accelerometer of the kernel's dummy driver (drivers/iio/dummy), whose events come on demand.
struct AccelerometerScenario: Scenario {
  let name = "accelerometer"
  let limit = 400
  private static let device = "/sys/kernel/config/iio/devices/dummy/shaker"
  private static let poke = "/sys/bus/iio/devices/iio_evgen/poke_ev0"

  func live(on bench: Bench) throws -> [Figure] {
    for module in ["industrialio-sw-device", "iio_dummy"] {
      try tool("modprobe", "-d", Bench.kernel, module)
    }
    var settings = MotionSettings()
    settings.accelerometer = "shaker"
    settings.threshold = nil
    let source = SourceBench(
      try MotionSensor(settings).required("no accelerometer in the settings"))
    _ = try source.serve(for: 1)
    try require(
      source.failures.first?.contains("there is no IIO device of that name") == true,
      "a missing one: \(source.failures)")
    try plugIn()
    _ = try source.serve(for: 310, every: 1000)
    let knock = try source.serve(for: 60) { if $0 == 100 { try shake() } }
    let moving = try source.serve(for: 60) { if $0 % 50 == 0 { try shake() } }
    var storm: [Evidence] = []
    let wakes = try source.wakes { storm = try source.serve(for: 60) { _ in try shake() } }
    _ = try source.serve(for: 30)
    let rest = try source.wakes { _ = try source.serve(for: 3600, every: 1000) }
    rmdir(Self.device)
    let told = source.failures.count
    _ = try source.serve(for: 2)
    try require(
      source.failures.count == told + 1
        && source.failures.last?.contains("has disappeared") == true,
      "its going: \(source.failures)")
    try plugIn()
    _ = try source.serve(for: 310, every: 1000)
    let again = try source.serve(for: 60) { if $0 == 100 { try shake() } }
    return [
      Figure("reports of one event", Double(knock.count), atMost: 1, atLeast: 1),
      Figure("reports of a minute's movement", Double(moving.count), atMost: 6, atLeast: 5),
      Figure("reports of a minute's storm", Double(storm.count), atMost: 6, atLeast: 5),
      Figure("wakes in it", wakes, atMost: 14, isHeadline: true),
      Figure("wakes in an hour's rest", rest, atMost: 0),
      Figure(
        "reports of one event after it went and came", Double(again.count), atMost: 1, atLeast: 1),
    ]
  }

  private func plugIn() throws {
    try FileManager.default.createDirectory(
      atPath: Self.device, withIntermediateDirectories: false)
  }

  private func shake() throws { try Kernel.write("0", to: Self.poke) }
}
