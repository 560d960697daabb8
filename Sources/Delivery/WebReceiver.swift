/// What listens at the other end; each has its own way to say that something has arrived.
public enum WebReceiver: String, Hashable, Sendable, CaseIterable {
  /// OwnTracks' HTTP mode (OwnTracks Booklet, "HTTP mode"): Recorder, Home Assistant, Dawarich.
  case ownTracks = "owntracks"
  /// Traccar's protocol for its phone app, also Home Assistant's webhook of that name.
  case osmAnd = "osmand"
  /// Overland's batches: Dawarich, Reitti, Compass.
  case overland
}
