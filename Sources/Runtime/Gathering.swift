import Core

/// Decides when a receiver's line is read again, and how much of it at once.
///
/// A UART interrupts every few bytes. After the first bytes the line is not watched but read at an
/// interval until it is silent: this takes few wakes and loses no byte, because the interval ends
/// before the kernel's buffer is full.
struct Gathering {
  /// The duration of a sentence at 9600 baud; short compared with the silence that ends an epoch.
  static let maxInterval = Seconds(0.15)
  static let minInterval = Seconds(0.02)
  /// The most bytes to arrive in an interval. The kernel holds 4095 bytes (n_tty.c) and 64 kB
  /// before them (tty_buffer.c). With 3968 of the first filled it tells the driver to stop
  /// (TTY_THRESHOLD_THROTTLE), and a USB adapter's chip then has room for a few hundred more.
  static let maxBytes = 2048
  /// Everything that the kernel can hold, in bytes.
  static let backlog = 4096 + 65_536
  /// The limit in bytes per second for an endless stream: more than 921600 baud deliver, and no
  /// more than a small board decodes beside its other work.
  static let rate = 120_000.0
  /// The minimum read size in bytes, for short intervals: a few bytes of output may have caused the
  /// wake.
  static let minLimit = 512

  /// When to read again; nil if the line is to be watched.
  private(set) var due: BootInstant?
  private var interval = maxInterval
  private var lastRead: BootInstant?

  /// How many bytes to read now: everything since the last read, at the highest plausible rate.
  func limit(at now: BootInstant) -> Int {
    guard let lastRead else { return Self.backlog }
    let possible = min(Double(Self.backlog), Self.rate * (now - lastRead).value)
    return max(Self.minLimit, Int(possible))
  }

  /// Records a read of `count` bytes.
  /// - Parameters:
  ///   - limit: how many were requested.
  ///   - speed: the line's capacity in bytes per second; nil if unread bytes cannot be lost.
  mutating func read(_ count: Int, limit: Int, speed: Int?, at now: BootInstant) {
    lastRead = now
    guard count > 0 else {
      due = nil
      return
    }
    let longest = Self.interval(atSpeed: speed)
    if due == nil || speed == nil || count >= limit {
      // A stream beyond any line's rate is not read faster.
      interval = longest
    } else if count > Self.maxBytes {
      // More than its nominal speed allows: a USB receiver has no real speed.
      interval = max(Self.minInterval, interval * 0.5)
    } else if count * 2 <= Self.maxBytes {
      interval = min(longest, interval * 2)
    }
    interval = min(interval, longest)
    due = now + interval
  }

  /// The longest interval in which a line of this speed delivers no more than the kernel holds.
  private static func interval(atSpeed speed: Int?) -> Seconds {
    guard let speed, speed > 0 else { return maxInterval }
    return min(maxInterval, max(minInterval, Seconds(Double(maxBytes) / Double(speed))))
  }
}
