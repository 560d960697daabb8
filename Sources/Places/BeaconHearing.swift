import Quantities

/// Whether a beacon of a place is heard.
public struct BeaconHearing: Hashable, Sendable {
  public var isHeard: Bool
  /// When one was heard last: now, as long as one is.
  public var lastHeard: BootInstant

  public init(isHeard: Bool, lastHeard: BootInstant) {
    self.isHeard = isHeard
    self.lastHeard = lastHeard
  }
}
