import RadioSignals

/// A way of listening that is tried.
public enum BeaconListening: String, CaseIterable, Sendable {
  /// By monitors, where a beacon is expected.
  case monitors
  /// By discovery, 2 s of every 4, where a beacon is expected.
  case discovery
  /// By monitors, where a beacon is expected, be the board at rest or not.
  case monitorsAtRest = "monitors, at rest, too"
  /// By discovery, 2 s of every 4, where a beacon is expected, be the board at rest or not.
  case discoveryAtRest = "discovery, at rest, too"
  /// By discovery, all the time, everywhere, until the board rests.
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
