import Foundation
import ReceiverStandIns

/// The board on the laboratory's bench, inside the kernel: a GPIO chip whose line GNSS_EN supplies
/// the receiver, the receiver's serial line, and a power monitor on the supply.
final class Bench {
  static let results = "/run/results"
  static let kernel = ProcessInfo.processInfo.environment["LAB_KERNEL"] ?? ""
  static let godwit = ProcessInfo.processInfo.environment["LAB_GODWIT"] ?? ""
  /// The receiver's lines on the chip.
  static let supply = 3
  static let uart = 4
  static let backup = 5
  /// The motion sensor's line.
  static let motion = 6
  /// High while the vehicle's ignition is on.
  static let ignition = 7
  private static let traces = "/sys/kernel/tracing/instances"

  let chip: SimulatedChip
  private var receiver: ChildProcess?

  /// 2026-05-04 was a Monday.
  init(date: String = "2026-05-04 00:00:00") throws {
    try tool("date", "-u", "-s", date)
    try tool("modprobe", "-d", Self.kernel, "ina2xx")
    chip = try SimulatedChip(
      "board", label: "board-gpio",
      lines: [
        Self.supply: "GNSS_EN", Self.uart: "GNSS_UART", Self.backup: "GNSS_BACKUP",
        Self.motion: "ACCEL_INT1", Self.ignition: "IGNITION",
      ])
    try traceLines()
  }

  /// Sets up everything: the chip, the monitor with its driver, the receiver.
  func assemble(receiver arguments: [String] = []) throws {
    try chip.appear()
    try StubMonitor.plugIn()
    try StubMonitor.bind()
    try connectSupply()
    try startReceiver(arguments)
  }

  /// The receiver's supply follows the line from here on; to be repeated when the chip has come
  /// back.
  func connectSupply() throws {
    for (link, line) in [("/run/supply-line", Self.supply), ("/run/motion-line", Self.motion)] {
      unlink(link)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: try chip.folder(of: line))
    }
  }

  /// - Parameter device: the device that appears when the receiver is ready.
  func startReceiver(
    _ arguments: [String] = [], device: String = "/dev/gnss-receiver"
  ) throws {
    let program = Self.program("lab-receiver")
    receiver = try ChildProcess(
      program,
      [
        "--log", Self.results + "/receiver.csv", "--bus", "/dev/i2c-0",
        "--trace", Self.traces + "/receiver/trace_pipe",
      ] + arguments
    ).required("\(program) does not start")
    try wait("the receiver's line", for: 5) { access(device, F_OK) == 0 }
  }

  /// A program from the same build as this one.
  static func program(_ name: String) -> String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent(name).path
  }

  /// Two kernel traces: one wakes the receiver, the other is kept as evidence.
  private func traceLines() throws {
    for name in ["receiver", "evidence"] {
      let folder = Self.traces + "/" + name
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      try Kernel.write("boot", to: folder + "/trace_clock")
      // The minimum size of a trace holds a few hundred events.
      try Kernel.write("4096", to: folder + "/buffer_size_kb")
      try Kernel.write("1", to: folder + "/events/gpio/gpio_value/enable")
    }
  }

  /// Keeps the kernel's trace of the board's lines.
  func keepEvidence() throws {
    let trace = try Kernel.read(Self.traces + "/evidence/trace")
    try trace.write(toFile: Self.results + "/lines.trace", atomically: false, encoding: .utf8)
    if let words = receiver?.text, !words.isEmpty { print("lab-receiver: \(words)") }
  }

  /// Checks every tenth of a second of the kernel's time.
  func wait(_ what: String, for seconds: Double, until isSo: () throws -> Bool) throws {
    let deadline = Kernel.uptime + seconds
    while try !isSo() {
      try require(Kernel.uptime < deadline, "waited \(seconds) s in vain for \(what)")
      usleep(100_000)
    }
  }
}
