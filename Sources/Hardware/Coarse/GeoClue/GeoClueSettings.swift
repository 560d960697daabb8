import Core

/// Whether GeoClue, the location service of desktops, is queried.
public struct GeoClueSettings: Hashable, SettingGroup {
  enum Kind: String, Sendable, CaseIterable { case geoclue2, none }
  /// GeoClue2's levels (GClueAccuracyLevel).
  enum Accuracy: String, Sendable, CaseIterable { case city, neighborhood, street, exact }

  var kind = Kind.none
  var accuracy = Accuracy.street
  var distance: Metres = 500
  var interval: Seconds = 300

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section(
      "geoclue",
      "GeoClue2, the location service of desktops. It sends the access points in range to a server "
        + "on the Internet, by default beacondb.net, and is off unless set here.")
    setting("kind", &kind, .choice, "\"geoclue2\": used. \"none\": not used.")
    setting("accuracy", &accuracy, .choice, "Finest accuracy that is requested.")
    setting(
      "distance_m", &distance, .quantity(0...100_000),
      "Distance that the board must move before the next location.")
    setting(
      "interval_s", &interval, .quantity(0...86_400),
      "Minimum interval of locations. GeoClue uses whole seconds.")
  }
}
