import Places

/// A place as a policy follows it: where its edge is, and whether somebody waits for the board to
/// cross it.
public struct PlaceTarget: Sendable {
  public var region: PlaceRegion
  /// Whether an enabled alert stands on it.
  public var hasAlerts: Bool

  public init(_ region: PlaceRegion, hasAlerts: Bool) {
    self.region = region
    self.hasAlerts = hasAlerts
  }
}
