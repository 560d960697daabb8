import Records
import Core
import Tracking

extension Effect {
  /// What is asked of the switch, if anything is.
  var powerState: PowerState? { if case .power(let state, _) = self { state } else { nil } }
}

/// A policy that knows nothing of the board's whereabouts but what it is told.
extension Policy {
  mutating func gnssLocation(_ location: Location, at now: BootInstant) -> Bool {
    gnssLocation(location, at: now, in: .unknown)
  }

  mutating func coarseLocation(_ location: Location, at now: BootInstant) -> Bool {
    coarseLocation(location, at: now, in: .unknown)
  }

  func demand(at now: BootInstant) -> GnssDemand {
    demand(at: now, in: .unknown) ?? GnssDemand(.off(until: nil), reason: "nothing is wanted")
  }
}
