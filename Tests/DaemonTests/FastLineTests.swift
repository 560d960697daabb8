import CLinux
import Glibc
import Core
import ReceiverStandIns
import TestSupport
import Testing

/// Lines at the full rate of their speed, and above it.
@Suite(.serialized) struct FastLineTests {
  let folder: ScratchFolder
  let line = Pseudoterminal()

  init() throws { folder = try ScratchFolder() }

  func daemon(baud: Int) throws -> LiveDaemon {
    let daemon = try LiveDaemon(
      in: folder,
      settings: [
        "receiver.device=\(line.link)", "receiver.baud=\(baud)", "policy.name=continuous",
      ])
    #expect(try daemon.status().receiverFailure == nil)
    return daemon
  }

  @Test("all of a full line is read", arguments: [230_400, 460_800, 921_600])
  func allOfAFullLineIsRead(baud: Int) throws {
    let daemon = try daemon(baud: baud)
    let epochs = 1000
    let text = Epochs().prefix(epochs).flatMap { $0 }
    let pace = Pace(bytesPerSecond: baud / 10)
    var sent = 0
    // Refused bytes are offered again: a full pseudo-terminal blocks where a UART loses bytes.
    while sent < text.count { sent += line.offer(text[sent..<pace.allowed(upTo: text.count)]) }
    #expect(pace.seconds < 2 * Double(text.count) * 10 / Double(baud), "kept up: \(pace.seconds) s")
    #expect(daemon.hears(line, Epochs(from: 36_000 + epochs)) { $0.accepted > epochs })
    let status = try daemon.status()
    #expect(status.at("receiver.bytes")?.integer ?? 0 >= text.count)
    #expect(status.at("receiver.counters.bad_checksums")?.integer == 0)
    #expect(status.at("receiver.line_errors") == .null)
    try daemon.endsOrderly()
  }

  @Test("a line without line end neither blocks the daemon nor drains its battery")
  func aLineWithoutEnd() throws {
    let daemon = try daemon(baud: 921_600)
    let text = Epochs().prefix(500).flatMap { $0 }
    let pace = Pace(bytesPerSecond: 1 << 40)
    var slowest = 0.0
    while pace.seconds < 3 {
      for _ in 0..<pace.allowed(upTo: 10) { line.offer(text) }
      let asked = pace.seconds
      _ = try daemon.status()
      slowest = max(slowest, pace.seconds - asked)
    }
    let bytes = try #require(daemon.status().at("receiver.bytes")?.integer)
    #expect(bytes < Int(pace.seconds * 140_000) + 80_000, "\(bytes) bytes in \(pace.seconds) s")
    #expect(slowest < 1, "\(slowest) s until the status came")
    try daemon.endsOrderly()
  }
}

/// Number of bytes that a line of a given speed may have delivered so far, in timer ticks.
final class Pace {
  private static let tick = 5_000_000  // ns

  private let bytesPerSecond: Int
  private let start = Pace.now
  private let timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))

  init(bytesPerSecond: Int) {
    self.bytesPerSecond = bytesPerSecond
    let period = timespec(tv_sec: 0, tv_nsec: Self.tick)
    var setting = itimerspec(it_interval: period, it_value: period)
    precondition(timerfd_settime(timer, 0, &setting, nil) == 0)
  }

  deinit { close(timer) }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  var seconds: Double { Self.now - start }

  /// Waits for the next tick.
  func allowed(upTo most: Int) -> Int {
    var expirations: UInt64 = 0
    _ = read(timer, &expirations, 8)
    return min(most, Int(seconds * Double(bytesPerSecond)))
  }
}
