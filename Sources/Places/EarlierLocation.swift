import Core
import Records

/// A location far enough before the last one that a single error does not explain both.
struct EarlierLocation: Sendable {
  /// Nil: there is none yet.
  private(set) var known: (location: Location, at: BootInstant)?
  /// The next value of `known`.
  private var next: (location: Location, at: BootInstant)?

  mutating func located(_ location: Location, at now: BootInstant) {
    if let next, now - next.at < PlacePresence.pause { return }
    known = next
    next = (location, now)
  }
}
