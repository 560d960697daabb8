import Core

/// When a receiver's line is read again, and how much of it at once.
///
/// A UART interrupts at every few bytes. After the first ones the line is left alone and read at an
/// interval until it is silent: few wake-ups, and still no byte lost, because the interval ends
/// before the kernel's room does.
struct Gathering {
  /// As long as a sentence at 9600 baud, and short beside the silence that ends an epoch.
  static let maxInterval = Seconds(0.15)
  static let minInterval = Seconds(0.02)
  /// What may come in an interval. The kernel holds 4095 bytes (n_tty.c) and 64 kB before them
  /// (tty_buffer.c); but with 3968 of the first it tells the driver to stop
  /// (TTY_THRESHOLD_THROTTLE), and a USB adapter's chip then has room for some hundred more.
  static let maxBytes = 2048
  /// All that the kernel can hold.
  static let backlog = 4096 + 65_536
  /// Bytes a second that are taken of a line without end: more than 921600 baud bring, and no more
  /// than a small board decodes beside its other work.
  static let rate = 120_000.0
  /// After a moment: a few bytes of output may have been what woke it.
  static let minLimit = 512

  /// When to read again; nil when the line is to be watched.
  private(set) var due: BootInstant?
  private var interval = maxInterval
  private var lastRead: BootInstant?

  /// How many bytes to ask for now: all that has come since the last time, if a line can have
  /// brought it.
  func limit(at now: BootInstant) -> Int {
    guard let lastRead else { return Self.backlog }
    let possible = min(Double(Self.backlog), Self.rate * (now - lastRead).value)
    return max(Self.minLimit, Int(possible))
  }

  /// So many bytes have been read.
  /// - Parameters:
  ///   - limit: how many were asked for.
  ///   - speed: bytes a second that the line can bring; nil where what is not read yet is safe.
  mutating func read(_ count: Int, limit: Int, speed: Int?, at now: BootInstant) {
    lastRead = now
    guard count > 0 else {
      due = nil
      return
    }
    let longest = Self.interval(atSpeed: speed)
    if due == nil || speed == nil || count >= limit {
      // A line that brings more than any line can is not read faster for that.
      interval = longest
    } else if count > Self.maxBytes {
      // More than its speed allows: a USB receiver has none.
      interval = max(Self.minInterval, interval * 0.5)
    } else if count * 2 <= Self.maxBytes {
      interval = min(longest, interval * 2)
    }
    interval = min(interval, longest)
    due = now + interval
  }

  /// The longest interval in which such a line brings no more than the kernel holds.
  private static func interval(atSpeed speed: Int?) -> Seconds {
    guard let speed, speed > 0 else { return maxInterval }
    return min(maxInterval, max(minInterval, Seconds(Double(maxBytes) / Double(speed))))
  }
}
