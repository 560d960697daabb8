import Records
import Ports
import Core
import Tracking

/// What the receiver draws from its supply: measured where there is a monitor, modelled otherwise.
///
/// The monitor is read when another event happens, never on its own timer, so that measuring costs
/// no wakes. While the receiver is on, every epoch is such an event; while it is off, the event
/// that wakes it ends a long quiet interval.
public final class EnergyLedger {
  private let monitor: (any PowerMonitorPort)?
  private let sources: (energy: () -> Joules, power: Watts)
  private let log: LogChannel
  private var meter: EnergyMeter
  /// The meter's sum when the open session began.
  private var sessionStart = EnergySum()
  /// The monitor's last reading, in any state.
  private(set) var lastReading: PowerReading?
  /// Why reading the monitor fails; nil while it works or there is none.
  private(set) var failure: String?

  /// - Parameter sources: the energy that everything but the receiver has drawn since the start,
  ///   and its continuous power.
  init(
    _ meter: EnergyMeter, monitor: (any PowerMonitorPort)?,
    sources: (energy: () -> Joules, power: Watts) = ({ 0 }, 0), log: LogChannel
  ) {
    self.meter = meter
    self.sources = sources
    self.monitor = monitor
    self.log = log
  }

  /// Whether a monitor measures the receiver's supply.
  var isMeasured: Bool { monitor?.scope == .receiver && failure == nil }
  /// Whether the figures are those of a virtual board.
  var isSimulated: Bool { meter.isSimulated }
  var monitorName: String? { monitor?.name }
  var monitorScope: PowerScope? { monitor?.scope }
  /// The state to which energy is attributed at present.
  var state: GnssState { meter.state }
  public func totals(at now: BootInstant) -> EnergyTotals { meter.totals(at: now) }
  /// The energy drawn by the receiver and the sources since the start.
  func drawn(at now: BootInstant) -> Event {
    .drawn(totals(at: now).all.energy + sources.energy(), sources: sources.power)
  }

  /// Reads the monitor. The reading belongs to the state that is about to end, so this comes before
  /// anything is switched.
  /// - Parameter hasFix: whether the receiver has just delivered a fix.
  func sample(at now: BootInstant, hasFix: Bool = false) {
    guard let monitor else { return }
    do throws(PortError) {
      let reading = try monitor.read()
      lastReading = reading
      if let objection = monitor.objection(to: reading) {
        throw PortError(objection + " It is not counted; the energy is modelled.")
      }
      failure = nil
      // The draw of the whole board is not the receiver's.
      if monitor.scope == .receiver { meter.add(reading, hasFix: hasFix) }
    } catch {
      if failure == nil { log.write("monitor-failed", error.message, level: .warning, at: now) }
      failure = error.message
    }
    for warning in monitor.takeWarnings() { log.write("monitor", warning, at: now) }
  }

  /// The session with the energy drawn so far; other records unchanged.
  func metered(_ record: Record, at now: BootInstant) -> Record {
    // An interrupted session belongs to the last run, whose meter is lost.
    guard case .session(var session) = record, session.outcome != .interrupted else {
      return record
    }
    let total = meter.totals(at: now).on
    if session.outcome == .open { sessionStart = total }
    let used = total.since(sessionStart)
    session.charge = used.charge
    session.energy = used.energy
    session.energyUncertainty = used.knownUncertainty
    session.basis = meter.isSimulated ? .simulated : used.basis
    return .session(session)
  }

  /// Attributes energy to another state from now on.
  /// - Returns: the interval of the state that has ended; nil if the state has not changed.
  func stateChanged(to state: GnssState, at now: BootInstant) -> StateInterval? {
    meter.stateChanged(to: state, at: now)
  }

  /// The receiver's currents as known now, if the interval has contributed a measurement.
  func measuredModel(after interval: StateInterval, at now: BootInstant) -> ReceiverEnergyModel? {
    guard interval.tally.basis == .measured else { return nil }
    return meter.model.refined(by: meter.totals(at: now))
  }

  func close(at now: BootInstant) -> StateInterval? { meter.close(at: now) }
}
