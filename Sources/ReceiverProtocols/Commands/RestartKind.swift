/// What a receiver forgets when it is told to start again.
public enum RestartKind: String, CaseIterable, Sendable {
  /// Nothing: all that it knows is used.
  case hot
  /// The ephemeris: time, rough position and almanac are used.
  case warm
  /// Everything about satellites, time and place; for a receiver that has gone astray.
  case cold
}
