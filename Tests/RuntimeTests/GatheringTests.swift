import Core
import Testing

@testable import Runtime

/// What the kernel buffers of a line that has not been read yet, in virtual time.
private struct KernelLine {
  /// n_tty.c: one less than N_TTY_BUF_SIZE; tty_buffer.c: TTYB_DEFAULT_MEM_LIMIT.
  static let room = 4095 + 65_536

  /// Bytes per second.
  let rate: Double
  private(set) var held = 0.0
  private(set) var fullest = 0.0
  private(set) var lost = 0.0
  private(set) var readBytes = 0
  private(set) var reads = 0
  private var now = 0.0

  init(rate: Double) { self.rate = rate }

  mutating func pass(until then: Double) {
    held += rate * (then - now)
    now = then
    lost += max(0, held - Double(Self.room))
    held = min(held, Double(Self.room))
    fullest = max(fullest, held)
  }

  mutating func read(_ limit: Int) -> Int {
    let count = min(limit, Int(held))
    held -= Double(count)
    readBytes += count
    reads += 1
    return count
  }
}

@Suite struct GatheringTests {
  private func at(_ seconds: Double) -> BootInstant { .zero + Seconds(seconds) }

  /// A line that sends without a pause for ten seconds.
  /// - Parameters:
  ///   - speed: the assumed maximum speed, in bytes per second.
  ///   - late: how late the loop serves each wake.
  ///   - stall: how long the loop is busy, once.
  private func listen(
    rate: Double, speed: Int?, late: Double = 0.01, stall: Double = 0
  ) -> KernelLine {
    var line = KernelLine(rate: rate)
    var gathering = Gathering()
    var now = 0.001
    var stall = stall
    while now < 10 {
      line.pass(until: now)
      let limit = gathering.limit(at: at(now))
      let count = line.read(limit)
      gathering.read(count, limit: limit, speed: speed, at: at(now))
      // While it is watched, the next byte wakes the loop.
      let next = gathering.due.map { ($0 - .zero).value } ?? now + 1 / rate
      now = max(next, now) + late
      if now > 5 {
        now += stall
        stall = 0
      }
    }
    return line
  }

  @Test(
    "a line at any speed never throttles its driver",
    arguments: [
      960, 11_520, 23_040, 46_080, 92_160,
    ])
  func driverIsNeverStopped(speed: Int) {
    let line = listen(rate: Double(speed), speed: speed)
    #expect(line.lost == 0)
    // TTY_THRESHOLD_THROTTLE
    #expect(line.fullest < 4095 - 128, "\(line.fullest)")
    #expect(line.readBytes > speed * 95 / 10)
  }

  @Test("a slow line causes no additional wake-ups", arguments: [960, 11_520])
  func slowLinesAreReadSeldom(speed: Int) {
    let line = listen(rate: Double(speed), speed: speed, late: 0)
    #expect(line.reads <= 68, "\(line.reads) in 10 s")
  }

  @Test("the end of a burst is found after one interval")
  func theLineIsWatchedAgain() {
    var gathering = Gathering()
    gathering.read(500, limit: 4096, speed: 960, at: at(1))
    #expect(gathering.due == at(1) + Gathering.maxInterval)
    gathering.read(0, limit: 4096, speed: 960, at: at(1.15))
    #expect(gathering.due == nil)
  }

  @Test("nothing is lost while the loop is busy for half a second", arguments: [11_520, 92_160])
  func aStallIsMadeUpFor(speed: Int) {
    let line = listen(rate: Double(speed), speed: speed, stall: 0.5)
    #expect(line.lost == 0)
    #expect(line.held < 4095)
  }

  /// USB receivers accept any line speed and ignore it.
  @Test("a line that is faster than its speed is fully read")
  func fasterThanItsSpeed() {
    let line = listen(rate: 92_160, speed: 960)
    #expect(line.lost == 0 && line.readBytes > 900_000)
  }

  @Test("a line without end costs no more than the fastest line", arguments: [960, 92_160, nil])
  func aFloodIsBounded(speed: Int?) {
    let line = listen(rate: 40_000_000, speed: speed, late: 0)
    #expect(line.readBytes < 1_400_000, "\(line.readBytes) in 10 s")
    #expect(line.reads < 500, "\(line.reads) in 10 s")
  }
}
