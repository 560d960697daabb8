/// Reproducible randomness: the same seed gives the same numbers on every machine.
///
/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): one
/// addition and two multiplications for each number, and every seed is suitable. No libm is called,
/// because its last digit differs between processors and releases.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  /// - Parameter stream: separates the parts of one board, so that a change in one part does not
  ///   change the numbers of the others.
  public init(seed: UInt64, stream: UInt64) {
    var mixer = SeededRandom(seed: seed)
    state = mixer.next() ^ (stream &* 0xD1B5_4A32_D192_ED03)
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniformly in 0..<1.
  public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  public mutating func uniform(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
  }

  /// True with this probability.
  public mutating func chance(_ probability: Double) -> Bool { uniform() < probability }

  /// Mean 0, standard deviation 1: the sum of eight 16-bit uniforms. Close to the normal
  /// distribution within three standard deviations, never beyond 4.9; real outliers are modelled
  /// separately.
  public mutating func gaussian() -> Double {
    let a = next()
    let b = next()
    var sum = (a & 0xFFFF) + (a >> 16 & 0xFFFF) + (a >> 32 & 0xFFFF) + (a >> 48)
    sum += (b & 0xFFFF) + (b >> 16 & 0xFFFF) + (b >> 32 & 0xFFFF) + (b >> 48)
    // Eight uniforms of variance 65536²/12: standard deviation 65536 × sqrt(8/12).
    return (Double(sum) - 8 * 32_767.5) * (1 / (65_536 * 0.816_496_580_927_726))
  }
}
