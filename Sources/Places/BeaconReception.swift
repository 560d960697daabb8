import Core

/// Whether a beacon of a place is received.
public struct BeaconReception: Hashable, Sendable {
  var isReceived: Bool
  /// The last reception: now, while one is received.
  var lastReceived: BootInstant
  /// Whether it was lost while the board moved, or soon after, however short the movement was.
  var isOnTheWay: Bool

  public init(isReceived: Bool, lastReception: BootInstant, isOnTheWay: Bool = false) {
    self.isReceived = isReceived
    self.lastReceived = lastReception
    self.isOnTheWay = isOnTheWay
  }
}
