import Records
import Core
import VirtualDevice

/// How a load varies, by a sixth around 120 mA, while `power record` reads it 20 times a second.
enum Load: String, CaseIterable {
  case white = "each reading by itself"
  case second = "changes within a second"
  case seconds = "changes within five seconds"
  case behindNoise = "within a second, behind as much noise"

  private static let (mean, swing) = (0.120, 0.020)
  private static let period: Seconds = 0.05

  private var lasts: Double {
    switch self {
    case .white: 0
    case .second, .behindNoise: 1
    case .seconds: 5
    }
  }

  private func recording(of duration: Seconds, seed: UInt64) -> PowerStatistics {
    var random = SeededRandom(seed: seed, stream: 6)
    let kept = lasts > 0 ? 1 - Self.period.value / lasts : 0
    let renewed = (1 - kept * kept).squareRoot()
    var state = random.normal()
    var statistics = PowerStatistics(period: Self.period)
    for index in 0...Int((duration / Self.period).rounded()) {
      state = kept * state + renewed * random.normal()
      let noise = self == .behindNoise ? random.normal() : 0
      statistics.add(
        PowerReading(
          taken: .zero + Self.period * Double(index),
          current: Amperes(Self.mean + Self.swing * (state + noise)), voltage: 5,
          currentUncertainty: 0))
    }
    return statistics
  }

  /// A row of the table: the scatter of such recordings, the uncertainty that each states, and how
  /// often the 95 % interval contains the true mean.
  func row(of duration: Seconds, seeds: Range<UInt64>) -> String {
    var coverage = Coverage()
    var (errors, claims, effective) = (0.0, 0.0, 0.0)
    for seed in seeds {
      let statistics = recording(of: duration, seed: seed)
      guard let claimed = statistics.statisticalCharge, let margin = statistics.expandedCharge,
        let count = statistics.current.effectiveCount
      else { continue }
      let error = statistics.charge - Amperes(Self.mean) * statistics.measured
      errors += error.milliampereHours * error.milliampereHours
      claims += claimed.milliampereHours * claimed.milliampereHours
      effective += count
      coverage.take(error.magnitude <= margin)
    }
    let all = Double(seeds.count)
    func charge(_ squares: Double) -> String {
      FixedDecimal.text((squares / all).squareRoot(), digits: 5)
    }
    return "| \(rawValue) | \(Int(duration.value)) s | \(charge(errors)) | \(charge(claims)) "
      + "| \(FixedDecimal.text(effective / all, digits: 0)) | \(coverage.text) |"
  }
}
