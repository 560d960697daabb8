/// The protocol of the other end; each has its own kind of receipt.
public enum WebReceiver: String, Hashable, Sendable, CaseIterable {
  /// OwnTracks' HTTP mode (OwnTracks Booklet, "HTTP mode"): Recorder, Home Assistant, Dawarich.
  case ownTracks = "owntracks"
  /// Traccar's protocol for its phone app, also Home Assistant's webhook of that name.
  case osmAnd = "osmand"
  /// Overland's batches: Dawarich, Reitti, Compass.
  case overland

  /// The HTTP statuses that mean success: 201 for Overland, and 202 for Traccar.
  var successes: Set<Int> {
    switch self {
    case .ownTracks: [200]
    case .osmAnd: [200, 202]
    case .overland: [200, 201]
    }
  }
}
