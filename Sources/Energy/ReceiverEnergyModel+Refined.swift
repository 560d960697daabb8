import Quantities
import Records

extension ReceiverEnergyModel {
  /// How long a state must have been measured before its current is believed: while the receiver
  /// searches or tracks, the current settles within seconds; at rest it is small compared with the
  /// monitor's steps.
  public static func minMeasured(in state: GnssState) -> Seconds {
    switch state {
    case .acquiring, .tracking: 60
    case .sleeping, .off, .coarse: .minutes(5)
    }
  }

  /// The same receiver with measured currents in the states that were measured for long enough; the
  /// others keep the board file's. The voltage is unchanged: decisions compare charges at one
  /// voltage.
  public func refined(by totals: EnergyTotals) -> ReceiverEnergyModel {
    func current(_ state: GnssState, _ tally: EnergyTally) -> Amperes {
      let mean = tally.measuredCharge / tally.measuredDuration
      guard tally.measuredDuration >= Self.minMeasured(in: state), mean.isFinite, mean >= 0 else {
        return self.current(in: state)
      }
      return mean
    }
    var refined = self
    refined.acquiring = current(.acquiring, totals[.acquiring])
    refined.tracking = current(.tracking, totals[.tracking])
    refined.sleeping = current(.sleeping, totals[.sleeping])
    refined.off = current(.off, totals.resting)
    return refined
  }
}
