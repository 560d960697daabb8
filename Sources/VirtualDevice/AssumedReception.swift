import Core

/// What a trace that says nothing of its accuracy is taken to have seen of the sky.
public enum AssumedReception: String, Sendable, CaseIterable {
  case open, street
  /// Indoors wherever it rests, and open under way.
  case indoorsAtRest = "indoors-at-rest"

  /// Slower than any travel, faster than the noise of positions.
  private static let restingSpeed: MetresPerSecond = 0.5

  /// A recorder's claimed error depends on its setting as much as on its sky: a phone set to medium
  /// accuracy claims 65 m (Wi-Fi) in the open too. Only errors far beyond any satellite fix mean
  /// indoors.
  func sky(accuracy: Metres?, speed: MetresPerSecond) -> Sky {
    if let accuracy { return accuracy <= 25 ? .open : accuracy <= 100 ? .street : .indoors }
    switch self {
    case .open: return .open
    case .street: return .street
    case .indoorsAtRest: return speed < Self.restingSpeed ? .indoors : .open
    }
  }
}
