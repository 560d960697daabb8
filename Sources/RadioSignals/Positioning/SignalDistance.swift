import Core

/// Estimates the distance of an access point from its signal strength.
///
/// The path loss is 9 dB for each doubling of the distance, from -40 dBm at one metre: an exponent
/// of 3, between free space (2) and the many walls of ITU-R P.1238 (3 to 5). Walls and antennas
/// make single values wrong by a factor of two, which is good enough for a weight.
enum SignalDistance {
  private static let atOneMetre = -40.0
  private static let perDoubling = 9.0
  /// In metres: the size of a room. Signals weaker than -100 dBm are not received.
  private static let nearest = 2.0

  /// 2 to 100 m.
  static func typical(_ strength: Double) -> Metres {
    let bounded = strength.isFinite ? min(max(strength, -100), -20) : -100
    let doublings = (atOneMetre - bounded) / perDoubling
    guard doublings > 1 else { return Metres(nearest) }
    // A power of two, linear between whole exponents: pure modules do not use libm.
    let whole = doublings.rounded(.down)
    let power = Double(sign: .plus, exponent: Int(whole), significand: 1 + doublings - whole)
    return Metres(max(nearest, power))
  }

  /// The largest distance at which this strength is possible: 60 m for the strongest, 300 m for the
  /// weakest, as on a hill with a clear line of sight.
  static func farthest(_ strength: Double) -> Metres {
    let bounded = strength.isFinite ? min(max(strength, -95), -45) : -95
    return Metres(60 + (-45 - bounded) * 4.8)
  }
}
