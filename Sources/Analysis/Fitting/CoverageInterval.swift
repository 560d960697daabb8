import Glibc
import Core

/// A 95 % interval from random and systematic errors: Student's t for the scatter between
/// observations, and limits of a data sheet, within which all errors are equally probable (JCGM
/// 100:2008, "GUM", 4.3.7). They are combined as distributions (JCGM 101:2008), not as squares:
/// twice the combined standard uncertainty of a shunt's tolerance exceeds that tolerance.
struct CoverageInterval {
  /// The probability outside the interval, on both sides together.
  static let outside = 0.05

  /// Half the width of the 95 % interval of the scatter alone.
  let scatter: Double
  /// Half the widths of the two limits, which more observations do not reduce.
  let limits: (Double, Double)

  /// Half its width.
  ///
  /// Scatter is approximated by a normal distribution with the same 95 % interval as Student's t.
  var halfWidth: Double {
    var low = 0.0
    var high = scatter + limits.0 + limits.1
    for _ in 0..<60 {
      let middle = 0.5 * (low + high)
      if share(within: middle) < 1 - Self.outside { low = middle } else { high = middle }
    }
    return high
  }

  /// The probability of an error of at most `half`.
  private func share(within half: Double) -> Double {
    let deviation = scatter / StudentT.normal975
    let (wide, narrow) = (max(limits.0, limits.1), min(limits.0, limits.1))
    guard wide > 0 else { return deviation > 0 ? Self.normal(half / deviation) * 2 - 1 : 1 }
    // The sum of both limits is a trapezoid: level up to their difference, then down to their sum.
    let steps = 400
    var inside = 0.0
    for step in 0..<steps {
      let error = (wide + narrow) * (Double(step) + 0.5) / Double(steps)
      let density: Double =
        error <= wide - narrow ? 1 : (wide + narrow - error) / (2 * narrow)
      let reached: Double =
        deviation > 0
        ? Self.normal((half - error) / deviation) - Self.normal((-half - error) / deviation)
        : error <= half ? 1 : 0
      inside += density * reached
    }
    // Both sides of zero; the trapezoid's area is twice the wider limit for a height of one.
    return inside * (wide + narrow) / Double(steps) / wide
  }

  /// The share of the standard normal distribution below `value`.
  private static func normal(_ value: Double) -> Double { 0.5 * erfc(-value / 2.squareRoot()) }
}
