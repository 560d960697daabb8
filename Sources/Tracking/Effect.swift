import Records
import Core
import GNSS

/// What the tracker wants done. The runtime performs the effects in their order.
public enum Effect: Hashable, Sendable {
  /// - until: when GNSS will be wanted again, as far as that is known.
  case power(PowerState, until: BootInstant?)
  /// When GNSS will be wanted again has changed since the last `power`.
  case expectWake(at: BootInstant)
  /// Tell the receiver to start again, as soon as the `power(.on)` before it is done.
  case restart(RestartKind)
  /// Be woken at this moment; replaces the previous wake. Nil: no wake is wanted.
  case wake(at: BootInstant?)
  /// Ask the coarse source of that name for a location, once.
  case scan(source: String)
  /// Tell which places are there, once.
  case findPlaces(within: SphericalCap)
  /// GNSS has located the board: a fix was accepted.
  case located(Location)
  /// The session has its first fix.
  case firstFix(GnssSession)
  /// Make it durable before anything after it in the list happens.
  case store(Record)
  case log(LogEvent)
}
