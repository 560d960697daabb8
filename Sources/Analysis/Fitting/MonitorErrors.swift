import Core
import Records

/// The errors that a monitor makes in all its readings alike, as far as the uncertainty of measured
/// segments tells: they come from the same chip and the same resistor in every state.
struct MonitorErrors {
  /// Standard uncertainty that does not depend on the current.
  let offset: Amperes
  /// Standard uncertainty from gain and shunt, as a share of the current.
  let gain: Double

  /// A segment's uncertainty is that of the monitor and its own scatter, which is next to nothing
  /// where it was read once or twice: so the smallest is the monitor's. It is the limits' of the
  /// data sheet at the current that was read, without any noise of its own.
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

  /// Of a current as all readings give it.
  func uncertainty(of current: Amperes) -> Amperes {
    let proportional = gain * current.value
    return Amperes(
      (proportional * proportional + offset.value * offset.value).squareRoot())
  }

  /// The limits whose standard uncertainties these are, if each is a rectangular distribution.
  func limits(of current: Amperes) -> (Double, Double) {
    let root = 3.0.squareRoot()
    return (root * gain * current.value.magnitude, root * offset.value)
  }

  /// A reading counts as below the floor up to offset and one step, and the standard uncertainty
  /// at zero is √((offset² + (step / 2)²) / 3) (`MonitorAccuracy`): whatever the chip, the floor is
  /// at most √15 of these.
  var floor: Amperes { offset * 15.0.squareRoot() }

  /// Such a reading may be too small by offset and half a step once more: √39 of these at most.
  var mostBelowFloor: Amperes { offset * 39.0.squareRoot() }
}
