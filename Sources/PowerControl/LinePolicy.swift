/// In which state the supply line is taken, or left.
public enum LinePolicy: String, Sendable, CaseIterable {
  case off
  case on
  /// As it was found.
  case keep
}
