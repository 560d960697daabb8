import Core
import Ports
import Records

/// How the store of a run is reached: one that is always there, none, or one that is opened when it
/// is needed. The latter may not open at first (a full or read-only disk, a file that another
/// program has locked), and may go while it is open. Until it opens, every write fails with the
/// reason, so that records wait in memory and `status` reports why. Nothing that is there is
/// overwritten.
public final class StoreSource {
  /// The bits of an edit mark that are the open store's.
  private static let ofOne: Int64 = 1 << 32 - 1

  let name: String
  private let open: ((_ isReturn: Bool) throws(PortError) -> any StorePort)?
  private var store: (any StorePort)?
  /// How many stores were opened: each counts the edits of others anew.
  private var openings: Int64 = 0
  /// Whether one that was open has gone.
  private var hasGone = false
  /// Called with what is durable from now on.
  public var onStored: ([Record]) -> Void = { _ in }

  /// - Parameter open: opens the real store; called again at every write until it succeeds, with
  ///   whether another file was open before.
  public init(
    name: String, open: @escaping (_ isReturn: Bool) throws(PortError) -> any StorePort
  ) {
    self.name = name
    self.open = open
  }

  /// - Parameter store: nil: nothing is kept, and `onStored` receives every record.
  public init(_ store: (any StorePort)?) {
    name = store?.name ?? "memory"
    open = nil
    self.store = store
  }

  /// Reads from the open store, or changes it. One that is no longer the one of its name is let go.
  /// - Returns: nil where there is none.
  func query<Answer>(
    _ question: (any StorePort) throws(PortError) -> Answer
  ) throws(PortError) -> Answer? {
    if store == nil, let open {
      store = try open(hasGone)
      openings += 1
    }
    guard let store else { return nil }
    do throws(PortError) {
      return try question(store)
    } catch {
      if case .moved = error, open != nil {
        self.store = nil
        hasGone = true
      }
      throw error
    }
  }

  public func ensureOpen() throws(PortError) -> StoreOpening? {
    try query { (store) throws(PortError) in try store.ensureOpen() } ?? nil
  }

  func write(_ records: [Record]) throws(PortError) {
    _ = try query { (store) throws(PortError) in try store.write(records) }
    onStored(records)
  }

  public func trackerState() throws(PortError) -> String? {
    try query { (store) throws(PortError) in try store.trackerState() } ?? nil
  }

  public func lastIdentifiers() throws(PortError) -> StoreIdentifiers {
    try query { (store) throws(PortError) in try store.lastIdentifiers() } ?? StoreIdentifiers()
  }

  public func destinations() throws(PortError) -> [Destination] {
    try query { (store) throws(PortError) in try store.destinations() } ?? []
  }

  /// As `MessageStorePort` has it, with a mark of `editMark` here.
  func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(PortError) {
    var stored: [Record] = []
    _ = try query { (store) throws(PortError) in
      let own = mark.flatMap { $0 >> 32 == openings ? $0 & Self.ofOne : nil }
      try store.changeMessages(since: own) { items in
        let done = change(items)
        stored = done.notices.map(\.record)
        return done
      }
    }
    if !stored.isEmpty { onStored(stored) }
  }

  /// Another number whenever another program has changed the store, or another one is open; nil
  /// where none can.
  func editMark() throws(PortError) -> Int64? {
    let mark = try query { (store) throws(PortError) in try store.editMark() } ?? nil
    return mark.map { openings << 32 | $0 & Self.ofOne }
  }

  func close() throws(PortError) { try store?.close() }
}
