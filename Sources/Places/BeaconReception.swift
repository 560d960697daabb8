import Core

/// Whether a beacon of a place is received.
public struct BeaconReception: Hashable, Sendable {
  public var isHeard: Bool
  /// The last reception: now, while one is received.
  public var lastHeard: BootInstant
  /// Whether it was lost while the board moved, or soon after, however short the movement was.
  public var isOnTheWay: Bool

  public init(isHeard: Bool, lastHeard: BootInstant, isOnTheWay: Bool = false) {
    self.isHeard = isHeard
    self.lastHeard = lastHeard
    self.isOnTheWay = isOnTheWay
  }
}
