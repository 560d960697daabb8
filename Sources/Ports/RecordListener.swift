import Quantities
import Records

/// Hears the records that the tracker makes on their way to the store, and may have others stored
/// with them: alerts, statistics. What an earlier run left (visits and destinations that are taken
/// over or go on) it does not hear. Whoever passes on only what is durable stands around the store
/// instead, as a `StorePort` of its own.
public protocol RecordListener: AnyObject {
  /// - Returns: what is to be stored beside it.
  func heard(_ record: Record, at now: BootInstant) -> [Record]
}
