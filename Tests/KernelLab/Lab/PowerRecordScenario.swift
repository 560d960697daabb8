import Foundation
import Core
import ReceiverStandIns
import Records

/// `godwit power record` with the kernel's driver: an hour with one step of the current.
struct PowerRecordScenario: Scenario {
  let name = "record"

  func live(on bench: Bench) throws -> [Figure] {
    try StubMonitor.plugIn()
    try StubMonitor.bind()
    try StubMonitor.show(milliamperes: 30)
    let recorder = try PowerRecorder(["kind=hwmon"], seconds: 3600, ["--interval", "1"])
    sleep(1800)
    try StubMonitor.show(milliamperes: 10)
    let record = try recorder.result(within: 2000)
    let played = 0.020 * 3.3 * 3600
    let energy = try record.number("energy_J")
    return [
      Figure("readings", try record.number("readings"), atMost: 3601, atLeast: 3599),
      Figure("of them twice the same conversion", try record.number("duplicates"), atMost: 0),
      Figure("failed", try record.number("failed_readings"), atMost: 0),
      // The chip's power has steps of 625 µW, a fiftieth of the lower power here.
      Figure("error of the recorded energy", (energy - played) / played * 100, "%", within: 1),
      Figure(
        "jitter of the readings, at worst", try record.number("jitter_s.max"), "s", atMost: 0.1),
    ]
  }
}

/// Every conversion through IIO's buffer, in real time: the driver busy-waits for each.
struct CaptureScenario: Scenario {
  let name = "capture"
  let travelsInTime = false
  static let seconds = 2

  func live(on bench: Bench) throws -> [Figure] {
    try tool("rmmod", "ina2xx")
    try tool("modprobe", "-d", Bench.kernel, "ina2xx-adc")
    try StubMonitor.plugIn()
    try StubMonitor.show(milliamperes: 30)
    // The conversion-ready flag (CVRF) is always set, so the driver's own rate is measured.
    try StubMonitor.set(6, to: 0x0008)
    try Kernel.write("ina226 0x40", to: StubMonitor.bus + "/new_device")
    let record = try PowerRecorder(["kind=iio"], seconds: Self.seconds).result(within: 20)
    let window = try record.number("window_s", of: "metadata")
    let expected = Double(Self.seconds) / window
    return [
      Figure(
        "of the conversions captured", try record.number("readings") / expected * 100, "%",
        atMost: 110, atLeast: 80),
      Figure(
        "mean of the current", try record.number("current_mA.mean"), "mA", atMost: 30.1,
        atLeast: 29.9),
      Figure("time missing", try record.number("missing_duration_s"), "s", atMost: 0.5),
    ]
  }
}

/// `godwit power record` as a separate process.
struct PowerRecorder {
  private let process: ChildProcess

  /// - Parameter settings: settings of the power monitor.
  init(_ settings: [String], seconds: Int, _ more: [String] = []) throws {
    let all = ["bus=0", "address=0x40", "shunt_mOhm=100"] + settings
    let file = "/run/record.toml"
    try "".write(toFile: file, atomically: false, encoding: .utf8)
    process = try ChildProcess(
      Bench.godwit,
      ["power", "record", "--config", file, "--json", "--for", String(seconds)] + more
        + all.flatMap { ["--set", "power_monitor.\($0)"] }
    ).required("\(Bench.godwit) does not start")
  }

  func result(within seconds: Double) throws -> Record {
    let code = try process.exitCode(within: seconds).required("the recording does not end")
    try require(code == 0, "power record: exit code \(code): \(process.text)")
    let lines = process.text.split(separator: "\n")
    let object = try lines.last { $0.hasPrefix("{") }.required("no JSON: \(process.text)")
    return Record(json: try JSONValue(parsing: Array(object.utf8)))
  }

  struct Record {
    let json: JSONValue

    /// - Parameter path: such as "current_mA.mean".
    func number(_ path: String, of part: String = "statistics") throws -> Double {
      let keys = [part] + path.split(separator: ".").map(String.init)
      let value = keys.reduce(json as JSONValue?) { $0?[$1] }
      return try (value?.number).required("\(path) is not in \(json.text)")
    }
  }
}
