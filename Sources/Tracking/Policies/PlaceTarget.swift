import Places

/// A place as a policy follows it: its edge, and whether crossing it matters to an alert.
public struct PlaceTarget: Sendable {
  var region: PlaceRegion
  /// Whether it has an enabled alert.
  var hasAlerts: Bool

  public init(_ region: PlaceRegion, hasAlerts: Bool) {
    self.region = region
    self.hasAlerts = hasAlerts
  }
}
