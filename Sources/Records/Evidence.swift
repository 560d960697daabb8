import Core

/// What something else than GNSS tells of whether the board moves, and of what is around it.
public enum Evidence: Hashable, Sendable {
  /// An accelerometer or a vibration switch has felt something. Its silence is evidence, too.
  case motion
  /// The network that the board is joined to: an access point's BSSID, a gateway's address; nil: it
  /// is joined to none.
  case network(String?)
  /// The vehicle's supply, or a charger, is switched on or off.
  case ignition(isOn: Bool)
  case accessPoints(AccessPointScan)
  /// The cell that serves the board now, as `CellIdentity.text` writes it.
  case cell(String)
  /// A coarse location, from a source that knows one by itself.
  case location(CoarseObservation)
}

/// The access points that a scan has heard.
public struct AccessPointScan: Hashable, Sendable {
  public var signals: [AccessPointSignal]
  /// How long ago it was when it was told: others may have asked for it.
  public var age: Seconds

  public init(_ signals: [AccessPointSignal], age: Seconds = 0) {
    self.signals = signals
    self.age = age
  }
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

/// How a source that can place the board tells its locations.
public enum CoarseDelivery: Hashable, Sendable {
  /// By itself as soon as the change is significant: its silence says that the board has not moved.
  case significantChanges
  /// By itself, as far as it knows one: its silence says nothing.
  case occasional
  /// Each time that it is asked.
  case whenAsked
}
