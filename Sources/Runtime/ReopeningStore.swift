import Ports
import Quantities
import Tracking

/// A store that could not be opened, and may be later: a full or read-only disk, a file held by
/// somebody else. Until then every write fails with the reason, so that records wait in memory and
/// `status` says why. Nothing that is there is overwritten.
public final class ReopeningStore: StorePort {
  public let name: String
  private let open: () throws(StoreError) -> any StorePort
  private var store: (any StorePort)?

  /// - Parameter open: opens the real store; called again at every write until it succeeds.
  public init(name: String, open: @escaping () throws(StoreError) -> any StorePort) {
    self.name = name
    self.open = open
  }

  private func opened() throws(StoreError) -> any StorePort {
    if let store { return store }
    let opened = try open()
    store = opened
    return opened
  }

  public func close() throws(StoreError) { try store?.close() }
  public func write(_ records: [Record]) throws(StoreError) { try opened().write(records) }
  public func tidy(now: UTCInstant) throws(StoreError) -> String? { try opened().tidy(now: now) }
  public func trackerState() throws(StoreError) -> String? { try opened().trackerState() }
  public func lastIdentifiers() throws(StoreError) -> StoreIdentifiers {
    try opened().lastIdentifiers()
  }
  public func destinations() throws(StoreError) -> [Destination] { try opened().destinations() }
}
