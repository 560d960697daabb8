import Core

/// Evidence other than GNSS of whether the board moves, and of its surroundings.
public enum Evidence: Hashable, Sendable {
  /// An accelerometer or a vibration switch detected motion. Its silence is evidence, too.
  case motion
  /// The network to which the board is connected: an access point's BSSID, a gateway's address;
  /// nil: none.
  case network(String?)
  /// The vehicle's supply, or a charger, was switched on or off.
  case ignition(isOn: Bool)
  /// Another sign, in words, that the board may begin to move: "steps are counted". The source is
  /// heeded as long as its signs prove right.
  case sign(String)
  case accessPoints(AccessPointScan)
  /// The serving cell, as `CellIdentity.text` writes it.
  case cell(String)
  /// A coarse location from a source that determines positions itself.
  case location(CoarseObservation)
}

/// The access points that a scan received.
public struct AccessPointScan: Hashable, Sendable {
  public var signals: [AccessPointSignal]
  /// The age of the scan when it was reported; another program may have requested it earlier.
  public var age: Seconds

  public init(_ signals: [AccessPointSignal], age: Seconds = 0) {
    self.signals = signals
    self.age = age
  }
}

/// An access point that a scan received.
public struct AccessPointSignal: Hashable, Sendable {
  public var bssid: String
  /// In dBm, about -100 (limit of reception) to -20 (next to the access point).
  public var strength: Double

  public init(bssid: String, strength: Double) {
    self.bssid = bssid
    self.strength = strength
  }
}

/// When a coarse source reports its locations.
public enum CoarseDelivery: Hashable, Sendable {
  /// Unrequested, at every significant change: its silence means that the board has not moved.
  case significantChanges
  /// Unrequested, whenever a location is known: its silence means nothing.
  case occasional
  /// Only on request.
  case onRequest
}
