import Core
import GNSS

/// What the receiver knows of the sky when it begins to search, as far as is known here: by when it
/// last had a fix, and by what it was told to forget since.
struct EphemerisKnowledge: Hashable, Sendable {
  /// What was forgotten is as good as that old: no start after it is a hot one.
  private static let forgotten = TTFFPrediction.ephemerisLife * 2

  private var lastTracked: BootInstant?
  private var lacksEphemeris = false

  /// Whether it knows nothing.
  var isEmpty: Bool { lastTracked == nil }

  /// It had a fix until then, and with it new ephemeris.
  mutating func tracked(until moment: BootInstant) {
    lastTracked = moment
    lacksEphemeris = false
  }

  mutating func forget(_ kind: RestartKind) {
    switch kind {
    case .hot: break
    case .warm: lacksEphemeris = true
    case .cold: self = EphemerisKnowledge()
    }
  }

  /// How old its ephemeris is; nil: it knows nothing of the sky.
  func age(at now: BootInstant) -> Seconds? {
    lastTracked.map { lacksEphemeris ? max(now - $0, Self.forgotten) : now - $0 }
  }
}
