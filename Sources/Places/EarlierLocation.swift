import Core
import Records

/// A location that came so long before the last one that a single error is not behind both.
struct EarlierLocation: Sendable {
  /// Nil: the board has not been located for so long.
  private(set) var known: (location: Location, at: BootInstant)?
  /// What becomes it.
  private var next: (location: Location, at: BootInstant)?

  mutating func located(_ location: Location, at now: BootInstant) {
    if let next, now - next.at < PlacePresence.pause { return }
    known = next
    next = (location, now)
  }
}
