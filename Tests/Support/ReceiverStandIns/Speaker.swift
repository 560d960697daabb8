import CLinux
import Glibc

/// Sends on a serial line as a receiver does: one burst at a time, at the line's speed, in real
/// time. A timer descriptor does the waiting.
public final class Speaker {
  /// A pseudo-terminal passes bytes at any rate, so they are handed over in slices of this length.
  static let slice = 0.02  // s

  /// Maps received bytes to the answer, which is sent after the burst that has begun.
  public var answer: ([UInt8]) -> [UInt8] = { _ in [] }

  private let line: Pseudoterminal
  private let bytesPerSlice: Int
  private let timer: Int32

  /// - Parameter baud: 8N1 takes ten bit times per byte.
  public init(_ line: Pseudoterminal, baud: Int) {
    self.line = line
    bytesPerSlice = max(1, Int(Double(baud) / 10 * Self.slice))
    timer = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC))
    precondition(timer >= 0)
    let period = timespec(tv_sec: 0, tv_nsec: Int(Self.slice * 1e9))
    var setting = itimerspec(it_interval: period, it_value: period)
    precondition(timerfd_settime(timer, 0, &setting, nil) == 0)
  }

  deinit { close(timer) }

  /// Sends burst after burst, each `period` after the one before, until `done` (checked every
  /// slice) or the last one.
  ///
  /// - Returns: whether `done` ended it.
  @discardableResult
  public func speak(
    _ bursts: some Sequence<[UInt8]>, period: Double = 1, until done: () -> Bool
  ) -> Bool {
    for burst in bursts {
      var rest = burst[...]
      var slices = Int((period / Self.slice).rounded())
      while slices > 0 || !rest.isEmpty {
        if done() { return true }
        line.offer(rest.prefix(bytesPerSlice))
        rest = rest.dropFirst(bytesPerSlice)
        rest += answer(line.received())
        waitForSlice()
        slices -= 1
      }
    }
    return done()
  }

  private func waitForSlice() {
    var expirations: UInt64 = 0
    _ = read(timer, &expirations, 8)
  }
}
