/// What the receiver is doing, as far as its supply current is concerned.
public enum GnssState: String, Sendable, CaseIterable {
  case off
  /// Off, while a coarse source is asked where the board is. The receiver draws what it does while
  /// off; what the rest of the board draws is another matter.
  case coarse
  /// Asleep by command, its supply kept.
  case sleeping
  /// Powered and searching.
  case acquiring
  /// Powered and delivering fixes.
  case tracking
}
