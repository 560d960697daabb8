import Quantities

/// Quantities as whole numbers in UBX's units, limited to what fits.
enum UBXUnits {
  /// 1e-7 degrees.
  static func angle(_ angle: Degrees) -> Int32 { scaled(angle.value, 1e7, 1_800_000_000) }

  static func centimetres(_ length: Metres) -> Int32 { scaled(length.value, 100, 5_000_000) }

  /// Centimetres, limited to 1 cm...40,000 km; what is no number counts as the worst.
  static func accuracy(_ length: Metres) -> UInt32 {
    UInt32((length.value.isNaN ? 4e7 : max(0.01, min(length.value, 4e7))) * 100)
  }

  /// Limited to 1 ms...18 h; what is no number counts as the worst.
  static func split(_ accuracy: Seconds) -> (seconds: UInt16, nanoseconds: UInt32) {
    guard accuracy > 0.001 else { return accuracy.value.isNaN ? (.max, 0) : (0, 1_000_000) }
    guard accuracy < Seconds(Double(UInt16.max)) else { return (.max, 0) }
    let whole = accuracy.value.rounded(.down)
    return (UInt16(whole), UInt32((accuracy.value - whole) * 1e9))
  }

  /// Whole milliseconds, limited to what 32 bits hold.
  static func milliseconds(_ duration: Seconds) -> UInt32 {
    guard duration > 0 else { return 0 }
    return UInt32(min((duration.value * 1000).rounded(), 4_294_967_295))
  }

  private static func scaled(_ value: Double, _ scale: Double, _ limit: Double) -> Int32 {
    guard !value.isNaN else { return 0 }
    return Int32(max(-limit, min((value * scale).rounded(), limit)))
  }
}
