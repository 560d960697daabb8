import Quantities
import Records

/// Hears every record of the tracker on its way to the store, and may have others stored with it:
/// alerts, statistics. Whoever passes on only what is durable stands around the store instead, as a
/// `StorePort` of its own.
public protocol RecordListener: AnyObject {
  /// - Returns: what is to be stored beside it.
  func heard(_ record: Record, at now: BootInstant) -> [Record]
}
