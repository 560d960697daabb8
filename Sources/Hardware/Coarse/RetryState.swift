import Ports
import Core

/// A device that is absent or refuses: when to try again, and what has been reported. Each cause is
/// reported once, and again if the device worked for long in between.
struct RetryState {
  static let firstPause = Seconds(5)
  static let maxPause = Seconds(300)

  private var pause = RetryState.firstPause
  private var lastReported: PortError?
  private var availableSince: BootInstant?

  mutating func ended(at now: BootInstant) { availableSince = now }

  /// - Returns: when to try again, and whether the error is still to be reported.
  mutating func failed(
    _ error: PortError, at now: BootInstant
  ) -> (next: BootInstant, isNews: Bool) {
    if let availableSince, now - availableSince > Self.maxPause {
      pause = Self.firstPause
      lastReported = nil
    }
    availableSince = nil
    let next = now + pause
    pause = min(pause * 2, Self.maxPause)
    let isNews = error != lastReported
    lastReported = error
    return (next, isNews)
  }
}
