import Core

/// The reception assumed for a trace without accuracies.
public enum AssumedReception: String, Sendable, CaseIterable {
  case open, street
  /// Indoors at rest, and open while moving.
  case indoorsAtRest = "indoors-at-rest"

  /// Slower than any travel, faster than the noise of positions.
  private static let restingSpeed: MetresPerSecond = 0.5

  /// A recorder's claimed error depends on its settings as much as on reception: a phone set to
  /// medium accuracy claims 65 m (Wi-Fi) in the open, too. Only errors far beyond any satellite fix
  /// mean indoors.
  func reception(accuracy: Metres?, speed: MetresPerSecond) -> Reception {
    if let accuracy { return accuracy <= 25 ? .open : accuracy <= 100 ? .street : .indoors }
    switch self {
    case .open: return .open
    case .street: return .street
    case .indoorsAtRest: return speed < Self.restingSpeed ? .indoors : .open
    }
  }
}
