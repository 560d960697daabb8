/// How a receiver's orbits survive without supply.
public enum OrbitKeeping: String, Sendable, CaseIterable {
  /// The backup supply where there is one, otherwise what the receiver offers.
  case auto
  /// The receiver saves them itself (UBX-UPD-SOS).
  case flash
  /// The daemon keeps them for it (UBX-MGA-DBD).
  case host
  case none
}
