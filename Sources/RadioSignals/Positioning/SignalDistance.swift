import Core

/// How far away an access point probably is that is heard so strongly.
///
/// A path loss of 9 dB for each doubling of the distance, from -40 dBm at a metre: an exponent of
/// 3, between free space (2) and the many walls of ITU-R P.1238 (3 to 5). Walls and antennas make
/// single values wrong by a factor of two; as a weight that is good enough.
enum SignalDistance {
  private static let atOneMetre = -40.0
  private static let perDoubling = 9.0
  /// Nothing is nearer than a room, nor are weaker signals than -100 dBm heard.
  private static let nearest = 2.0

  /// 2 to 100 m.
  static func typical(_ strength: Double) -> Metres {
    let heard = strength.isFinite ? min(max(strength, -100), -20) : -100
    let doublings = (atOneMetre - heard) / perDoubling
    guard doublings > 1 else { return Metres(nearest) }
    // A power of two, straight between the whole ones: libm is not for pure modules.
    let whole = doublings.rounded(.down)
    let power = Double(sign: .plus, exponent: Int(whole), significand: 1 + doublings - whole)
    return Metres(max(nearest, power))
  }

  /// Farther away than this it is not heard so strongly: 60 m for the strongest, 300 m for the
  /// weakest, as on a hill with free sight.
  static func farthest(_ strength: Double) -> Metres {
    let heard = strength.isFinite ? min(max(strength, -95), -45) : -95
    return Metres(60 + (-45 - heard) * 4.8)
  }
}
