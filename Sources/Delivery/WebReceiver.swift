/// What listens at the other end; each has its own way to say that something has arrived.
public enum WebReceiver: String, Hashable, Sendable, CaseIterable {
  /// OwnTracks' HTTP mode (OwnTracks Booklet, "HTTP mode"): Recorder, Home Assistant, Dawarich.
  case ownTracks = "owntracks"
  /// Traccar's protocol for its phone app, also Home Assistant's webhook of that name.
  case osmAnd = "osmand"
  /// Overland's batches: Dawarich, Reitti, Compass.
  case overland

  /// HTTP's statuses by which it says that it has what it was sent: Overland's are created, and
  /// Traccar's may be accepted.
  var successes: Set<Int> {
    switch self {
    case .ownTracks: [200]
    case .osmAnd: [200, 202]
    case .overland: [200, 201]
    }
  }
}
