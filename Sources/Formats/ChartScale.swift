import Core

/// One axis: its range from zero or less to a round number, or from one power of ten to another,
/// and the position of its ticks.
struct ChartScale: Sendable {
  private let low: Double
  private let high: Double
  private let step: Double
  private let pixels: ClosedRange<Double>
  /// Whether `low`, `high` and `step` are powers of ten.
  private let isLogarithmic: Bool

  init(
    _ values: some Sequence<Double>, onto pixels: ClosedRange<Double>, isLogarithmic: Bool = false
  ) {
    self.pixels = pixels
    self.isLogarithmic = isLogarithmic
    guard !isLogarithmic else {
      let powers = values.filter { $0 > 0 && $0.isFinite }.map(Self.power)
      // A power of ten with a rounding error counts as exact.
      low = ((powers.min() ?? 0) + 1e-9).rounded(.down)
      high = max(((powers.max() ?? 1) - 1e-9).rounded(.up), low + 1)
      step = 1
      return
    }
    var (least, most) = (0.0, 0.0)
    for value in values where value.isFinite {
      least = min(least, value)
      most = max(most, value)
    }
    if most - least < 1e-12 { most = least + 1 }
    step = Self.roundStep(about: (most - least) / 5)
    low = (least / step).rounded(.down) * step
    high = (most / step).rounded(.up) * step
  }

  var ticks: [Double] {
    let marks = (0...Int(((high - low) / step).rounded())).map { low + Double($0) * step }
    return isLogarithmic ? marks.map(Self.powerOfTen) : marks
  }

  func hasPlace(for value: Double) -> Bool { !isLogarithmic || value > 0 }

  func place(_ value: Double) -> Double {
    let value = isLogarithmic ? Self.power(value) : value
    return pixels.lowerBound
      + (pixels.upperBound - pixels.lowerBound) * (value - low) / (high - low)
  }

  func label(_ tick: Double) -> String {
    let step = isLogarithmic ? tick : step
    var digits = 0
    var unit = step
    while unit < 0.999, digits < 9 { (unit, digits) = (unit * 10, digits + 1) }
    return FixedDecimal.text(tick.magnitude < step / 2 ? 0 : tick, digits: digits)
  }

  /// The smallest of 1, 2 or 5 times a power of ten that is not below the argument.
  private static func roundStep(about wanted: Double) -> Double {
    var power = 1.0
    while power * 10 <= wanted { power *= 10 }
    while power > wanted { power /= 10 }
    return ([1, 2, 5].first { $0 * power >= wanted * (1 - 1e-9) } ?? 10) * power
  }

  private static func powerOfTen(_ power: Double) -> Double {
    let factor = power < 0 ? 0.1 : 10
    return (0..<Int(power.magnitude)).reduce(1) { product, _ in product * factor }
  }

  /// The decimal logarithm, far finer than a pixel, without libm: the exponent gives the integer
  /// part of the binary logarithm, and each squaring of the significand gives one more binary
  /// digit.
  /// - Parameter value: above zero.
  private static func power(_ value: Double) -> Double {
    var (rest, power, digit) = (value.significand, Double(value.exponent), 0.5)
    for _ in 0..<40 {
      rest *= rest
      if rest >= 2 { (rest, power) = (rest / 2, power + digit) }
      digit /= 2
    }
    return power * 0.301_029_995_663_981_2
  }
}
