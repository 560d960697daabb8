import Core

/// When libmosquitto has to be called so that it asks whether the other side is still there: it
/// looks at the time only then, and asks when nothing was sent, or nothing received, for so long.
struct KeepAlive {
  /// Its clock counts whole seconds, and may be behind ours by the time of a call.
  private static let allowance: Seconds = 0.1

  /// 0: nobody asks.
  private let interval: Seconds
  /// Bytes.
  private var sent: UInt64 = 0
  private var received: UInt64 = 0
  private var lastSent: BootInstant
  private var lastReceived: BootInstant
  /// Whether the other side was asked, and has said nothing since.
  private(set) var isAsking = false

  init(every interval: Seconds, from now: BootInstant) {
    self.interval = interval
    lastSent = now
    lastReceived = now
  }

  /// Nil: never.
  var due: BootInstant? {
    interval > 0 ? min(lastSent, lastReceived) + interval + Self.allowance : nil
  }

  /// After every call, with the bytes that have passed since the beginning.
  mutating func note(sent: UInt64, received: UInt64, at now: BootInstant) {
    // It has asked, and gives the other side an interval to answer.
    let hasAsked = due.map { $0 <= now } ?? false
    isAsking = (isAsking || hasAsked) && received == self.received
    if sent != self.sent || hasAsked { lastSent = now }
    if received != self.received || hasAsked { lastReceived = now }
    self.sent = sent
    self.received = received
  }
}
