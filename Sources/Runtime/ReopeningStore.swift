import Core
import Ports
import Records

/// A store that could not be opened, and may be later: a full or read-only disk, a file held by
/// somebody else; or one that went while it was open, and is opened anew. Until then every write
/// fails with the reason, so that records wait in memory and `status` says why. Nothing that is
/// there is overwritten.
public final class ReopeningStore: StorePort {
  /// Of an edit mark, the bits that are the open store's.
  private static let ofOne: Int64 = 1 << 32 - 1

  public let name: String
  private let open: (_ isReturn: Bool) throws(StoreError) -> any StorePort
  private var store: (any StorePort)?
  /// How often one was opened: each counts the edits of others anew.
  private var openings: Int64 = 0
  /// Whether one that was open has gone.
  private var hasGone = false
  /// Called with what is durable from now on.
  public var onStored: ([Record]) -> Void = { _ in }

  /// - Parameter open: opens the real store; called again at every write until it succeeds. Told
  ///   whether another file was open before.
  public init(
    name: String, open: @escaping (_ isReturn: Bool) throws(StoreError) -> any StorePort
  ) {
    self.name = name
    self.open = open
  }

  /// Asks the open store, and lets go of it when it says that it is no longer the one.
  private func asked<Answer>(
    _ question: (any StorePort) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    let asked: any StorePort
    if let store {
      asked = store
    } else {
      asked = try open(hasGone)
      openings += 1
    }
    store = asked
    do throws(StoreError) {
      return try question(asked)
    } catch {
      if case .moved = error {
        store = nil
        hasGone = true
      }
      throw error
    }
  }

  public func close() throws(StoreError) { try store?.close() }
  public func ensureOpen() throws(StoreError) -> StoreOpening? {
    try asked { (store) throws(StoreError) in try store.ensureOpen() }
  }
  public func write(_ records: [Record]) throws(StoreError) {
    try asked { (store) throws(StoreError) in try store.write(records) }
    onStored(records)
  }
  public func applyRetention(now: UTCInstant) throws(StoreError) -> String? {
    try asked { (store) throws(StoreError) in try store.applyRetention(now: now) }
  }
  public func trackerState() throws(StoreError) -> String? {
    try asked { (store) throws(StoreError) in try store.trackerState() }
  }
  public func lastIdentifiers() throws(StoreError) -> StoreIdentifiers {
    try asked { (store) throws(StoreError) in try store.lastIdentifiers() }
  }
  public func destinations() throws(StoreError) -> [Destination] {
    try asked { (store) throws(StoreError) in try store.destinations() }
  }
  public func placeState() throws(StoreError) -> String? {
    try asked { (store) throws(StoreError) in try store.placeState() }
  }
  public func places(
    near box: GeographicBox, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading {
    try asked { (store) throws(StoreError) in try store.places(near: box, atMost: most, take) }
  }
  public func place(uuid: String) throws(StoreError) -> PlaceRow? {
    try asked { (store) throws(StoreError) in try store.place(uuid: uuid) }
  }
  public func alerts() throws(StoreError) -> StoredAlerts {
    try asked { (store) throws(StoreError) in try store.alerts() }
  }
  public func waitingNotices(atMost most: Int) throws(StoreError) -> [Notice] {
    try asked { (store) throws(StoreError) in try store.waitingNotices(atMost: most) }
  }
  public func placeEdits(
    after id: Int64, atMost most: Int
  ) throws(StoreError) -> [StoredPlaceEdit] {
    try asked { (store) throws(StoreError) in try store.placeEdits(after: id, atMost: most) }
  }
  public func placeEnds(
    after mark: PlaceEndMark, by end: UTCInstant, unnoticed: Bool, atMost most: Int
  ) throws(StoreError) -> PlaceEndPage {
    try asked { (store) throws(StoreError) in
      try store.placeEnds(after: mark, by: end, unnoticed: unnoticed, atMost: most)
    }
  }
  public func placesVisited(
    onDays days: Int, atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) {
    try asked { (store) throws(StoreError) in
      try store.placesVisited(onDays: days, atMost: most, take)
    }
  }
  public func contentCounts(of contents: [String]) throws(StoreError) -> [ContentCount] {
    try asked { (store) throws(StoreError) in try store.contentCounts(of: contents) }
  }
  public func shownContent(atCrossing id: Int64) throws(StoreError) -> ContentAction? {
    try asked { (store) throws(StoreError) in try store.shownContent(atCrossing: id) }
  }
  public func interests() throws(StoreError) -> String? {
    try asked { (store) throws(StoreError) in try store.interests() }
  }
  public func crossings(
    since: UTCInstant, atMost most: Int
  ) throws(StoreError) -> [Crossing] {
    try asked { (store) throws(StoreError) in try store.crossings(since: since, atMost: most) }
  }
  public func placesWithBeacons(
    atMost most: Int, _ take: (PlaceRow) -> Void
  ) throws(StoreError) -> PlaceReading {
    try asked { (store) throws(StoreError) in try store.placesWithBeacons(atMost: most, take) }
  }
  public func messages() throws(StoreError) -> [StoredMessage] {
    try asked { (store) throws(StoreError) in try store.messages() }
  }
  public func changeMessages(
    since mark: Int64?, _ change: ([StoredMessage]?) -> MessageChange
  ) throws(StoreError) {
    var told: [Record] = []
    try asked { (store) throws(StoreError) in
      let own = mark.flatMap { $0 >> 32 == openings ? $0 & Self.ofOne : nil }
      try store.changeMessages(since: own) { items in
        let done = change(items)
        told = done.notices.map(\.record)
        return done
      }
    }
    if !told.isEmpty { onStored(told) }
  }
  public func editMark() throws(StoreError) -> Int64? {
    try asked { (store) throws(StoreError) in
      try store.editMark().map { openings << 32 | $0 & Self.ofOne }
    }
  }
}
