import Energy
import Quantities
import Records

/// What the meter adds to the tracker's records.
extension Conductor {
  /// The session with what it took from the supply so far; other records as they are.
  func metered(_ record: Record, at now: BootInstant) -> Record {
    // An interrupted session is the last run's, whose meter is gone with it.
    guard case .session(var session) = record, session.outcome != .interrupted else {
      return record
    }
    let total = meter.totals(at: now).on
    if session.outcome == .open { sessionStart = total }
    let measured = total.measuredDuration - sessionStart.measuredDuration
    let duration = total.duration - sessionStart.duration
    session.charge = total.charge - sessionStart.charge
    session.energy = total.energy - sessionStart.energy
    session.energyIsMeasured = measured > 0 && measured * 2 >= duration
    return .session(session)
  }

  /// The state whose current flows. While a receiver that is no longer wanted still saves its
  /// orbits, that is the one before; and one that could not be put to sleep may have been cut off.
  var drawnState: GnssState {
    let told = tracker.attributedState
    guard told != .acquiring, told != .tracking else { return told }
    if sequencer.isAwake { return meter.state == .tracking ? .tracking : .acquiring }
    return told == .sleeping && sequencer.isCut ? .off : told
  }

  func keep(_ interval: StateInterval?, at now: BootInstant) {
    guard let interval else { return }
    guard let start = tracker.clock.utc(at: interval.start) else { return undated.hold(interval) }
    queue.store(.powerSegment(PowerSegment(interval, start: start)), at: now)
  }

  /// The receiver's currents as well as they are known now, when the interval has told more of
  /// them. The tracker hears of them with the next event: they count when it decides how to rest.
  func measuredModel(after interval: StateInterval, at now: BootInstant) -> ReceiverEnergyModel? {
    guard interval.tally.basis == .measured else { return nil }
    return meter.model.refined(by: meter.totals(at: now))
  }

  /// The sampling plan: the monitor is read when something happens anyway, and never on a timer of
  /// its own, so that measuring costs no wakes. While the receiver is on, every epoch is such an
  /// event; while it is off, the one that wakes it ends a long quiet stretch.
  func sample(at now: BootInstant) {
    guard let monitor = board.monitor else { return }
    do {
      let reading = try monitor.read()
      monitorFailure = nil
      lastPower = reading
      // What the whole board draws is not the receiver's.
      if monitor.scope == .receiver { meter.take(reading) }
    } catch {
      if monitorFailure == nil {
        noted(Note("monitor-failed", error.message, level: .warning), now)
      }
      monitorFailure = error.message
    }
    for remark in monitor.takeRemarks() { noted(Note("monitor", remark), now) }
  }
}
