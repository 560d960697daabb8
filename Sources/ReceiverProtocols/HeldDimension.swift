import Quantities

/// Some receivers send GSA and GGA less often than RMC: what they said of the fix's dimension holds
/// for the epochs between, for a while.
struct HeldDimension {
  /// Epochs without GSA and altitude for which the last word is believed. The slowest habit seen
  /// in the field is every fifth epoch.
  private static let longest = 10

  private var dimension = 0
  private var age = 0

  mutating func apply(to epoch: inout Epoch) {
    guard epoch.hasReport else { return }
    if epoch.mode == .none {
      dimension = 0
    } else if epoch.dimension > 0 || epoch.hasAltitude {
      dimension = epoch.mode.rawValue
      age = 0
    } else if dimension > 0, age < Self.longest {
      epoch.dimension = dimension
      age += 1
    }
  }
}
