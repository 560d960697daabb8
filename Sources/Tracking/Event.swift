import Records
import Core
import GNSS

/// Everything that can happen to the tracker. Each comes with its time on the board's clock.
public enum Event: Sendable {
  /// The daemon runs. `clock` is the system's idea of the date, nil when it is implausible; `boot`
  /// names this run of the system, nil where there is none.
  case started(clock: SystemDate?, boot: String? = nil)
  /// The system's clock was asked again, because nothing else stands behind the receiver's date.
  case systemDate(SystemDate)
  /// What an earlier run left in a store that could not be asked when this one began.
  /// - state: the earlier run's snapshot; nil in a new store.
  case recalled(state: String?, destinations: [Destination])
  case fix(Fix)
  /// - from: the name of the source that was asked.
  case coarse(CoarseObservation, from: String)
  /// - from: the name of the source that tells it.
  case evidence(Evidence, from: String)
  /// The wake that the tracker asked for is due.
  case woke
  /// The receiver is in the power state that was asked for last. Wishes that were replaced before
  /// are not answered.
  case powerReached
  case powerFailed(reason: String)
  /// The receiver does not start again as it was told to, as far as its answers say.
  case restartFailed(reason: String)
  /// What the receiver is doing has changed, whether somebody asked for it or not.
  case receiver(ReceiverPowerState)
  case scanFailed(source: String, reason: String)
  /// The receiver cannot be sent to sleep: not now, and not later in this run. Sent in place of the
  /// failure when it comes of a `power(.sleep)`.
  case sleepUnavailable(reason: String)
  /// What can be done with the receiver's supply turned out otherwise than the settings could say:
  /// it was asked who it is.
  case learnt(PowerCapabilities)
  /// A monitor has told better what the receiver draws.
  case measured(ReceiverEnergyModel)
  /// What the receiver and the sources have drawn since any fixed moment. Told before other events
  /// as long as somebody keeps a budget.
  /// - sources: what the sources draw all the time, of that.
  case drawn(Joules, sources: Watts)
  /// The board's fuel gauge was read.
  case battery(BatteryReading)
  case command(Command)
  /// Somebody wants a fix, once, instead of what it wanted before; nil: it wants none any more.
  case demand(from: DemanderName, GnssDemand?)
  /// The places of surroundings that were asked for, or that have changed since.
  case places([PlaceTarget], within: SphericalCap)
  /// The daemon ends in an orderly way.
  case stopping
}

/// What a user or a program asks for over the control socket.
public enum Command: Hashable, Sendable {
  /// Keep GNSS on whatever the policy says (`on`), keep it off (`off`), or let the policy decide.
  case gnss(GnssOverride)
  /// Have the receiver begin anew, with what it is not told to forget.
  case restart(RestartKind)
}

public enum GnssOverride: String, Sendable, CaseIterable { case on, off, auto }
