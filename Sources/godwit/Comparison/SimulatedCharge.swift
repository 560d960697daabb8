import Analysis
import Core
import Runtime

/// The cumulative charge that a simulated receiver has drawn.
final class SimulatedCharge {
  /// The key in a run's summary: pairs of hours and milliampere-hours.
  private static let key = "charge_curve_h_mAh"
  /// About the width of a plot in pixels.
  private static let mostPoints = 400

  private var curve = ChargeCurve(maxPoints: mostPoints)

  init() { curve.add(CumulativeCharge(elapsed: 0, charge: 0), beginsLine: true) }

  /// - Parameter now: on the virtual board's clock, which begins with the run.
  func passing(_ energy: EnergyLedger, at now: BootInstant) {
    curve.add(
      CumulativeCharge(elapsed: now - .zero, charge: energy.totals(at: now).all.charge),
      beginsLine: false)
  }

  var member: (String, JSONValue) {
    let points = curve.points.map { point in
      JSONValue.array([
        .rounded(point.value.elapsed / .hours(1), digits: 4),
        .rounded(point.value.charge.milliampereHours, digits: 6),
      ])
    }
    return (Self.key, .array(points))
  }

  /// The curve of a run's summary; empty if not requested.
  static func points(of summary: JSONValue) -> [(x: Double, y: Double)] {
    (summary[key]?.array ?? []).compactMap { pair in
      guard let values = pair.array, values.count == 2, let hours = values[0].number,
        let charge = values[1].number
      else { return nil }
      return (hours, charge)
    }
  }
}
