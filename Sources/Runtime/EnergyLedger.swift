import Records
import Ports
import Core
import Tracking

/// What the receiver takes from its supply: measured where there is a monitor, modelled otherwise.
///
/// The sampling plan: the monitor is read when something happens anyway, and never on a timer of
/// its own, so that measuring costs no wakes. While the receiver is on, every epoch is such an
/// event; while it is off, the one that wakes it ends a long quiet stretch.
public final class EnergyLedger {
  private let monitor: (any PowerMonitorPort)?
  private let sources: (energy: () -> Joules, power: Watts)
  private let log: LogChannel
  private var meter: EnergyMeter
  /// What the meter had counted when the open session began.
  private var sessionStart = EnergySum()
  /// The monitor's last reading, of whatever state.
  public private(set) var lastReading: PowerReading?
  /// Why the monitor does not answer; nil while it does or there is none.
  public private(set) var failure: String?

  /// - Parameter sources: what else than the receiver has drawn since the start, and draws all the
  ///   time.
  init(
    _ meter: EnergyMeter, monitor: (any PowerMonitorPort)?,
    sources: (energy: () -> Joules, power: Watts) = ({ 0 }, 0), log: LogChannel
  ) {
    self.meter = meter
    self.sources = sources
    self.monitor = monitor
    self.log = log
  }

  /// Whether a monitor watches what the receiver draws.
  var isMeasured: Bool { monitor?.scope == .receiver && failure == nil }
  /// Whether all this is that of a virtual board.
  var isSimulated: Bool { meter.isSimulated }
  public var monitorName: String? { monitor?.name }
  public var monitorScope: PowerScope? { monitor?.scope }
  /// To which the energy goes at present.
  public var state: GnssState { meter.state }
  public func totals(at now: BootInstant) -> EnergyTotals { meter.totals(at: now) }
  /// By the receiver and the sources since the start.
  func drawn(at now: BootInstant) -> Event {
    .drawn(totals(at: now).all.energy + sources.energy(), sources: sources.power)
  }

  /// Reads the monitor. The reading belongs to the state that is about to end, so this comes before
  /// anything is switched.
  /// - Parameter hasFix: whether the receiver has just told of a fix.
  func sample(at now: BootInstant, hasFix: Bool = false) {
    guard let monitor else { return }
    do throws(PortError) {
      let reading = try monitor.read()
      lastReading = reading
      if let objection = monitor.objection(to: reading) {
        throw PortError(objection + " It is not counted; the energy is modelled.")
      }
      failure = nil
      // What the whole board draws is not the receiver's.
      if monitor.scope == .receiver { meter.take(reading, hasFix: hasFix) }
    } catch {
      if failure == nil { log.write("monitor-failed", error.message, level: .warning, at: now) }
      failure = error.message
    }
    for warning in monitor.takeWarnings() { log.write("monitor", warning, at: now) }
  }

  /// The session with what it took from the supply so far; other records as they are.
  func metered(_ record: Record, at now: BootInstant) -> Record {
    // An interrupted session is the last run's, whose meter is gone with it.
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

  /// From now on another state's current flows.
  /// - Returns: what the state that has ended took; nil when it goes on.
  func stateChanged(to state: GnssState, at now: BootInstant) -> StateInterval? {
    meter.stateChanged(to: state, at: now)
  }

  /// The receiver's currents as well as they are known now, when the interval has told more of
  /// them.
  func measuredModel(after interval: StateInterval, at now: BootInstant) -> ReceiverEnergyModel? {
    guard interval.tally.basis == .measured else { return nil }
    return meter.model.refined(by: meter.totals(at: now))
  }

  func close(at now: BootInstant) -> StateInterval? { meter.close(at: now) }
}
