import Core

#if canImport(Glibc)
  import Glibc
#endif

/// How far the receiver's fixes are from the truth, and how that changes from epoch to epoch.
///
/// The slow part is a first-order Gauss-Markov process in each direction, the usual model of the
/// autocorrelated error of single-point positions; added to it are white noise, an error that
/// decays after each first fix (the filter settles), and rare jumps from reflected signals.
struct PositionError {
  /// The error model's parameters for one kind of reception.
  struct Law {
    /// Standard deviation in each horizontal direction, metres.
    let sigma: Double
    /// The share of the slow error that is left after one epoch, and the noise that keeps its size
    /// constant.
    let keep: Double
    let renew: Double
    let white: Double
    /// Probability of a reflection in one epoch.
    let jump: Double
    let speedNoise: Double

    init(
      sigma: Double, correlation: Seconds, white: Double, jumpsPerHour: Double,
      speedNoise: Double, interval: Seconds
    ) {
      self.sigma = sigma
      keep = exp(-(interval / correlation))
      renew = sigma * (1 - keep * keep).squareRoot()
      self.white = white
      jump = jumpsPerHour * interval.value / 3600
      self.speedNoise = speedNoise
    }
  }

  private let laws: [Law]
  private let settle: Double
  private var reception = Reception.open
  private(set) var east = 0.0
  private(set) var north = 0.0
  private(set) var up = 0.0
  private var slow = (east: 0.0, north: 0.0, up: 0.0)
  private var settling = (east: 0.0, north: 0.0)
  private var jump = (east: 0.0, north: 0.0)
  private var jumpEpochs = 0
  /// The receiver's own error estimate: the standard deviation of each horizontal direction.
  private(set) var claimed = 0.0

  init(interval: Seconds) {
    // In the order of `Reception`. Figures of single-frequency receivers with small antennas.
    laws = [
      Law(
        sigma: 2, correlation: 120, white: 0.25, jumpsPerHour: 0.05, speedNoise: 0.05,
        interval: interval),
      Law(
        sigma: 6, correlation: 45, white: 0.8, jumpsPerHour: 1, speedNoise: 0.25,
        interval: interval),
      Law(
        sigma: 22, correlation: 60, white: 2, jumpsPerHour: 12, speedNoise: 0.5,
        interval: interval),
      Law(
        sigma: 60, correlation: 60, white: 5, jumpsPerHour: 30, speedNoise: 1, interval: interval),
    ]
    settle = exp(-(interval.value / 5))
  }

  var speedNoise: Double { laws[reception.rawValue].speedNoise }

  /// A new first fix: the last session's error is gone, and the first fixes are inaccurate.
  mutating func restart(
    after start: StartKind, under reception: Reception, random: inout SeededRandom
  ) {
    self.reception = reception
    let law = laws[reception.rawValue]
    let first = (start == .cold ? 4 : start == .warm ? 2.5 : 1.2) * law.sigma
    slow = (
      law.sigma * random.gaussian(), law.sigma * random.gaussian(),
      1.6 * law.sigma * random.gaussian()
    )
    settling = (first * random.gaussian(), first * random.gaussian())
    jumpEpochs = 0
  }

  mutating func advance(under reception: Reception, random: inout SeededRandom) {
    self.reception = reception
    let law = laws[reception.rawValue]
    slow.east = slow.east * law.keep + law.renew * random.gaussian()
    slow.north = slow.north * law.keep + law.renew * random.gaussian()
    slow.up = slow.up * law.keep + 1.6 * law.renew * random.gaussian()
    settling.east *= settle
    settling.north *= settle
    if jumpEpochs > 0 {
      jumpEpochs -= 1
    } else if random.chance(law.jump) {
      let size = 10 * law.sigma
      jump = (size * random.gaussian(), size * random.gaussian())
      jumpEpochs = 1 + Int(random.next() % 12)
    }
    east = slow.east + settling.east + law.white * random.gaussian()
    north = slow.north + settling.north + law.white * random.gaussian()
    up = slow.up
    if jumpEpochs > 0 {
      east += jump.east
      north += jump.north
    }
    claim(law)
  }

  /// The receiver knows its noise and its settling, but does not detect reflections.
  private mutating func claim(_ law: Law) {
    let settled = (settling.east * settling.east + settling.north * settling.north).squareRoot()
    claimed = (law.sigma * law.sigma + settled * settled / 2).squareRoot()
  }
}
