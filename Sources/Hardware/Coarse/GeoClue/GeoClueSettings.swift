import Core

/// Whether GeoClue, the location service of desktops, is queried.
public struct GeoClueSettings: Hashable, SettingGroup {
  public enum Kind: String, Sendable, CaseIterable { case geoclue2, none }
  /// GeoClue2's levels (GClueAccuracyLevel).
  public enum Accuracy: String, Sendable, CaseIterable { case city, neighborhood, street, exact }

  public var kind = Kind.none
  public var accuracy = Accuracy.street
  public var distance: Metres = 500
  public var interval: Seconds = 300

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "geoclue",
      "GeoClue2, the location service of desktops. It sends the access points around to a server "
        + "on the Internet, by default to beacondb.net, and is off unless set here.")
    setting("kind", &kind, .choice, "\"geoclue2\": it is asked. \"none\": it is not.")
    setting("accuracy", &accuracy, .choice, "The finest location that it is asked for.")
    setting(
      "distance_m", &distance, .quantity(0...100_000),
      "It tells a location when the board has moved so far.")
    setting(
      "interval_s", &interval, .quantity(0...86_400),
      "And at most so often. GeoClue counts in whole seconds.")
  }
}
