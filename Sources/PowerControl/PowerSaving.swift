/// Whether the receiver saves power by itself while it delivers fixes.
public enum PowerSaving: String, Sendable, CaseIterable {
  /// As it is set up.
  case keep
  /// u-blox' cyclic tracking: always ready, with short pauses, at larger errors.
  case on
  /// Full power, whatever it was set up to.
  case off
}
