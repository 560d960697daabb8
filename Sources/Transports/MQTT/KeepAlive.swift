import Core

/// When libmosquitto has to be called so that it sends a ping: it checks the time only then, and
/// pings if nothing was sent, or nothing received, for so long.
struct KeepAlive {
  /// Its clock counts whole seconds, and may be behind ours at the time of a call.
  private static let allowance: Seconds = 0.1

  /// 0: no pings.
  private let interval: Seconds
  /// In bytes.
  private var sent: UInt64 = 0
  private var received: UInt64 = 0
  private var lastSent: BootInstant
  private var lastReceived: BootInstant
  /// Whether a ping was sent, and nothing was received since.
  private(set) var awaitsPong = false

  init(every interval: Seconds, from now: BootInstant) {
    self.interval = interval
    lastSent = now
    lastReceived = now
  }

  /// Nil: never.
  var due: BootInstant? {
    interval > 0 ? min(lastSent, lastReceived) + interval + Self.allowance : nil
  }

  /// To be called after every call, with the bytes transferred since the beginning.
  mutating func note(sent: UInt64, received: UInt64, at now: BootInstant) {
    // It has sent a ping, and waits an interval for the answer.
    let hasAsked = due.map { $0 <= now } ?? false
    awaitsPong = (awaitsPong || hasAsked) && received == self.received
    if sent != self.sent || hasAsked { lastSent = now }
    if received != self.received || hasAsked { lastReceived = now }
    self.sent = sent
    self.received = received
  }
}
