/// What something else than GNSS tells of whether the board moves, and of what is around it. None
/// of it is a location.
public enum Evidence: Hashable, Sendable {
  /// An accelerometer or a vibration switch has felt something. Its silence is evidence, too.
  case motion
  /// The network that the board is joined to: an access point's BSSID, a gateway's address; nil: it
  /// is joined to none.
  case network(String?)
  /// The vehicle's supply, or a charger, is switched on or off.
  case ignition(isOn: Bool)
  /// The answer to a scan: the access points that were heard, with their BSSIDs.
  case accessPoints([AccessPointSignal])
  /// The cell tower that serves the board now.
  case cell(String)
}

/// An access point as a scan has heard it.
public struct AccessPointSignal: Hashable, Sendable {
  public var bssid: String
  /// Decibels above a milliwatt, -100 (hardly there) to -20 (next to it).
  public var strength: Double

  public init(bssid: String, strength: Double) {
    self.bssid = bssid
    self.strength = strength
  }
}
