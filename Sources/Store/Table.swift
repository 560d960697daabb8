/// The tables that the store registers as content of the GeoPackage.
enum Table: String, CaseIterable {
  case trackPoints = "track_points"
  case visits
  case destinations
  case sessions = "gnss_sessions"
  case coarse = "coarse_observations"
  case segments = "power_segments"
  case events
  case meta
  case migrations

  /// Whether it is a layer of points.
  var hasPlaces: Bool { self == .trackPoints || self == .visits || self == .destinations }
}
