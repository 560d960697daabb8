import Energy
import Quantities
import ReceiverProtocols

/// What the tracker wants done. The runtime performs the effects in their order.
public enum Effect: Hashable, Sendable {
  case power(PowerState)
  /// Tell the receiver to start again, as soon as the `power(.on)` before it is done.
  case restart(RestartKind)
  /// Be woken at this moment; replaces the previous wake. Nil: no wake is wanted.
  case wake(at: BootInstant?)
  /// Ask the coarse source for a location, once.
  case scan
  /// Make it durable before anything after it in the list happens.
  case store(Record)
  /// Tell whoever listens. Always after the `store` of the same record.
  case publish(Record)
  case note(Note)
}

/// What is asked of the power switch. A wish replaces the one before, done or not, and only the
/// last one is answered. `off` cuts the supply where something can, and lets go of the receiver's
/// line in any case.
public enum PowerState: String, Sendable, CaseIterable { case on, off, sleep }

/// What the store keeps. Records with an id replace the earlier one of that id.
public enum Record: Hashable, Sendable {
  case trackPoint(TrackPoint)
  /// A coarse track point is taken back because GNSS gave a better one with a similar time.
  case trackPointReplaced(time: UTCInstant)
  case visit(Visit)
  case visitWithdrawn(id: Int64)
  case destination(Destination)
  case session(GnssSession)
  case coarse(CoarseObservation)
  case powerSegment(PowerSegment)
  /// `time` is nil while the date is unknown.
  case event(Note, time: UTCInstant?)
  /// What the tracker needs to go on after a restart, as JSON text.
  case trackerState(String)
}
