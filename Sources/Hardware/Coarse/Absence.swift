import Ports
import Core

/// A device that is absent or refuses: when to try again, and what has been reported. Each cause is
/// reported once, and again if the device worked for long in between.
struct Absence {
  static let firstPause = Seconds(5)
  static let maxPause = Seconds(300)

  private var pause = Absence.firstPause
  private var told: PortError?
  private var heldSince: BootInstant?

  mutating func ended(at now: BootInstant) { heldSince = now }

  /// - Returns: when to try again, and whether the error is still to be reported.
  mutating func failed(
    _ error: PortError, at now: BootInstant
  ) -> (next: BootInstant, isNews: Bool) {
    if let heldSince, now - heldSince > Self.maxPause {
      pause = Self.firstPause
      told = nil
    }
    heldSince = nil
    let next = now + pause
    pause = min(pause * 2, Self.maxPause)
    let isNews = error != told
    told = error
    return (next, isNews)
  }
}
