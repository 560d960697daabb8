/// What the receiver is doing, as far as its supply current is concerned.
public enum GnssState: String, Sendable, CaseIterable {
  case off
  /// Asleep by command, its supply kept.
  case sleeping
  /// Powered and searching.
  case acquiring
  /// Powered and delivering fixes.
  case tracking
}
