import Core
import Records

/// The systematic errors of a monitor, derived from the uncertainty of measured segments: they come
/// from the same chip and resistor in every state.
struct MonitorErrors {
  /// Standard uncertainty that does not depend on the current.
  let offset: Amperes
  /// Standard uncertainty from gain and shunt, as a share of the current.
  let gain: Double

  /// A segment's uncertainty combines that of the monitor and its own scatter, which is negligible
  /// after one or two readings. So the smallest value is that of the monitor. It results from the
  /// limits of the data sheet at the measured current, without noise.
  init(_ segments: [GnssState: [MeasuredSegment]]) {
    let offsets = [GnssState.sleeping, .off].compactMap { state in
      (segments[state] ?? []).map(\.uncertainty.value).min()
    }
    let offset = offsets.min() ?? 0
    self.offset = Amperes(offset)
    let gains = [GnssState.acquiring, .tracking].compactMap { state in
      (segments[state] ?? []).filter { $0.current.value != 0 }.map { segment -> Double in
        let proportional = max(
          0, segment.uncertainty.value * segment.uncertainty.value - offset * offset)
        return proportional.squareRoot() / segment.current.value.magnitude
      }.min()
    }
    gain = gains.min() ?? 0
  }

  /// The uncertainty of a current, common to all readings.
  func uncertainty(of current: Amperes) -> Amperes {
    let proportional = gain * current.value
    return Amperes(
      (proportional * proportional + offset.value * offset.value).squareRoot())
  }

  /// The limits that have these standard uncertainties, if each is a rectangular distribution.
  func limits(of current: Amperes) -> (Double, Double) {
    let root = 3.0.squareRoot()
    return (root * gain * current.value.magnitude, root * offset.value)
  }

  /// A reading counts as below the floor up to offset and one step, and the standard uncertainty at
  /// zero is √((offset² + (step / 2)²) / 3) (`MonitorAccuracy`): for any chip, the floor is at most
  /// √15 of these.
  var floor: Amperes { offset * 15.0.squareRoot() }

  /// The true current may exceed it by another offset and half a step: at most √39 of these.
  var mostBelowFloor: Amperes { offset * 39.0.squareRoot() }
}
