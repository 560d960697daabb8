import Core
import GNSS

/// An estimate of the receiver's navigation data when it begins to search: from its last fix, and
/// from what restart commands have discarded since.
struct EphemerisKnowledge: Hashable, Sendable {
  /// The age assumed after ephemeris was discarded: no start is a hot one then.
  private static let forgotten = TTFFPrediction.ephemerisLife * 2

  private var lastTracked: BootInstant?
  private var lacksEphemeris = false

  /// Whether the receiver has no navigation data.
  var isEmpty: Bool { lastTracked == nil }

  /// The receiver had a fix, and with it new ephemeris, until `moment`.
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

  /// The age of the ephemeris; nil: the receiver has no navigation data.
  func age(at now: BootInstant) -> Seconds? {
    lastTracked.map { lacksEphemeris ? max(now - $0, Self.forgotten) : now - $0 }
  }
}
