import Notation
import Quantities
import VirtualDevice

/// A run's energy beside the least that any schedule could have used.
struct BoundReport {
  let bound: EnergyBound
  /// Of the run: receiver and sources.
  let energy: Joules

  var members: [(String, JSONValue)] {
    [
      ("bound_clairvoyant_J", .rounded(bound.clairvoyant.value, digits: 3)),
      ("bound_perfect_motion_J", .rounded(bound.perfectMotion.value, digits: 3)),
      ("energy_per_bound_clairvoyant", Self.multiple(energy, of: bound.clairvoyant)),
      ("energy_per_bound_perfect_motion", Self.multiple(energy, of: bound.perfectMotion)),
    ]
  }

  /// Null where nothing at all had to be spent.
  private static func multiple(_ energy: Joules, of bound: Joules) -> JSONValue {
    bound > 0 ? .rounded(energy / bound, digits: 4) : .null
  }

  var text: String {
    func line(_ name: String, _ bound: Joules) -> String {
      let least = "least energy of \(name): \(FixedDecimal.text(bound.value, digits: 2)) J"
      guard bound > 0 else { return least }
      return least + "; this run used \(FixedDecimal.text(energy / bound, digits: 2)) times as much"
    }
    return """
      \(line("any schedule", bound.clairvoyant))
      \(line("one that knows its motion, but no future", bound.perfectMotion))
      """
  }
}
