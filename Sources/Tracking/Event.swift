import Records
import Core
import GNSS

/// Everything that can happen to the tracker. Each event comes with its time on the board's clock.
public enum Event: Sendable {
  /// The daemon runs. `clock` is the system's date, nil when it is implausible; `boot` is the boot
  /// id, nil where there is none.
  case started(clock: SystemDate?, boot: String? = nil)
  /// The system's clock was read again, because nothing else confirms the receiver's date.
  case systemDate(SystemDate)
  /// Data of an earlier run, from a store that could not be read when this run began.
  /// - state: the earlier run's snapshot; nil in a new store.
  case recalled(state: String?, destinations: [Destination])
  case fix(Fix)
  /// - from: the name of the source that was queried.
  case coarse(CoarseObservation, from: String)
  /// - from: the name of the source that reported it.
  case evidence(Evidence, from: String)
  /// The wake that the tracker requested is due.
  case woke
  /// The receiver is in the power state that was requested last. Requests that were replaced before
  /// are not acknowledged.
  case powerReached
  case powerFailed(reason: String)
  /// The receiver did not carry out a restart command, according to its answers.
  case restartFailed(reason: String)
  /// The receiver's activity has changed, whether requested or not.
  case receiver(ReceiverPowerState)
  case scanFailed(source: String, reason: String)
  /// The receiver cannot be put to sleep: not now, and not later in this run. Replaces
  /// `powerFailed` for a `power(.sleep)`.
  case sleepUnavailable(reason: String)
  /// The capabilities of the receiver's supply differ from the settings: the receiver has
  /// identified itself.
  case learnt(PowerCapabilities)
  /// A monitor has measured the receiver's consumption.
  case measured(ReceiverEnergyModel)
  /// The energy that the receiver and the sources have drawn since a fixed moment. Sent before
  /// other events as long as there is a budget.
  /// - sources: the constant draw of the sources, included in the total.
  case drawn(Joules, sources: Watts)
  /// The board's fuel gauge was read.
  case battery(BatteryReading)
  case command(Command)
  /// A demand for one fix, in place of the demander's earlier one; nil: no more demand.
  case demand(from: DemanderName, GnssDemand?)
  /// The places within a requested cap, sent on request and after changes.
  case places([PlaceTarget], within: SphericalCap)
  /// The daemon ends in an orderly way.
  case stopping
}

/// A command of a user or a program over the control socket.
public enum Command: Hashable, Sendable {
  /// Keep GNSS on whatever the policy says (`on`), keep it off (`off`), or let the policy decide.
  case gnss(GnssOverride)
  /// Restart the receiver; the kind says which data it discards.
  case restart(RestartKind)
}

public enum GnssOverride: String, Sendable, CaseIterable { case on, off, auto }
