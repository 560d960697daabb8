import RadioSignals

/// A listening mode of the experiment.
public enum BeaconListening: String, CaseIterable, Sendable {
  /// With monitors, where a beacon is expected.
  case monitors
  /// With discovery, 2 s of every 4, where a beacon is expected.
  case discovery
  /// With monitors, where a beacon is expected, whether the board rests or not.
  case monitorsAtRest = "monitors, at rest, too"
  /// With discovery, 2 s of every 4, where a beacon is expected, whether the board rests or not.
  case discoveryAtRest = "discovery, at rest, too"
  /// With discovery, all the time, everywhere, until the board rests.
  case always

  var keepsWatch: Bool { self == .monitors || self == .monitorsAtRest }

  var settings: BeaconSettings {
    BeaconSettings {
      if self == .monitorsAtRest || self == .discoveryAtRest { $0.rest = .never }
      guard self == .always else { return }
      $0.occasion = .always
      $0.pause = 0
    }
  }
}
