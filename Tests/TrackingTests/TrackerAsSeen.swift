import Records
import Core
import Tracking

extension Effect {
  /// The requested power state, if any.
  var powerState: PowerState? { if case .power(let state, _) = self { state } else { nil } }
}

/// A policy that knows of the board's position only what the test gives it.
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
