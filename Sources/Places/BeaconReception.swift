import Core

/// Whether a beacon of a place is heard.
public struct BeaconReception: Hashable, Sendable {
  public var isHeard: Bool
  /// When one was heard last: now, as long as one is.
  public var lastHeard: BootInstant
  /// Whether it fell silent as the board moved, or soon after, be the movement ever so short.
  public var isOnTheWay: Bool

  public init(isHeard: Bool, lastHeard: BootInstant, isOnTheWay: Bool = false) {
    self.isHeard = isHeard
    self.lastHeard = lastHeard
    self.isOnTheWay = isOnTheWay
  }
}
