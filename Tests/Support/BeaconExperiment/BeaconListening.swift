import Beacons

/// A way of listening that is tried.
public enum BeaconListening: String, CaseIterable, Sendable {
  /// By monitors, where a beacon is expected.
  case monitors
  /// By discovery, 2 s of every 4, where a beacon is expected.
  case discovery
  /// By discovery, all the time, everywhere.
  case always

  var settings: BeaconSettings {
    BeaconSettings {
      guard self == .always else { return }
      $0.occasion = .always
      $0.pause = 0
    }
  }
}
