import Records
import Core
import GNSS

/// The tracker's requests. The runtime performs them in order.
public enum Effect: Hashable, Sendable {
  /// - until: when GNSS will be wanted again, if known.
  case power(PowerState, until: BootInstant?)
  /// When GNSS will be wanted again has changed since the last `power`.
  case expectWake(at: BootInstant)
  /// Restart the receiver as soon as the preceding `power(.on)` is done.
  case restart(RestartKind)
  /// Send `woke` at this moment; replaces the previous request. Nil: no wake is needed.
  case wake(at: BootInstant?)
  /// Query the coarse source of that name once.
  case scan(source: String)
  /// Report the places within the cap, once.
  case findPlaces(within: SphericalCap)
  /// GNSS has located the board: a fix was accepted.
  case located(Location)
  /// The session has its first fix.
  case firstFix(GnssSession)
  /// Make it durable before anything after it in the list happens.
  case store(Record)
  case log(LogEvent)
}
