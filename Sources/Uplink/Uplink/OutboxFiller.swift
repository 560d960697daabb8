import Delivery
import Ports
import Core
import Records

/// Fills the outbox with what is new in the store. The outbox's content and the position read from
/// the store change in one transaction, so that after a power cut nothing is lost and nothing
/// queued twice.
struct OutboxFiller {
  /// Changes in one transaction.
  private static let portion = 500
  private static let mostRemarks = 20

  private let store: any ChangesPort
  private let outbox: any OutboxPort
  private let settings: UplinkSettings
  private let board: UplinkBoard
  private let privacy: PrivacyFilter
  private let encryptor: OwnTracksEncryption?

  init(
    from store: any ChangesPort, into outbox: any OutboxPort, _ settings: UplinkSettings,
    _ board: UplinkBoard, _ privacy: PrivacyFilter = .none, encryptor: (any EncryptorPort)? = nil
  ) {
    self.store = store
    self.outbox = outbox
    self.settings = settings
    self.board = board
    self.privacy = privacy
    self.encryptor = encryptor.map(OwnTracksEncryption.init)
  }

  struct Result {
    var queued = 0
    var remarks: [String] = []
  }

  /// - Parameter name: a random name, used if a new stream has to begin.
  mutating func gather(
    streamName name: String, at time: UTCInstant
  ) throws(PortError) -> Result {
    var result = Result()
    let known = try outbox.state()
    guard let end = try store.changeLogEnd()
    else {
      result.remarks.append(noChanges)
      return result
    }
    var state = known ?? OutboxState(stream: RecordStream(name: name))
    var skipped: UTCInstant?
    if let position = state.position,
      try !store.continues(from: position)
    {
      result.remarks.append(
        "the store \(store.name), or the outbox, was replaced: all of it is sent to the collector "
          + "again, and only newer records to the others")
      state.stream = RecordStream(name: name)
      state.position = nil
      skipped = state.newest
    }
    if state.position == nil {
      state.position = ChangeLogPosition(log: end.log, opening: end.opening, change: 0)
    }
    while try gather(&state, &result, upTo: end, skipping: skipped, at: time) {}
    return result
  }

  private var noChanges: String {
    "the store \(store.name) logs no changes yet: restart the daemon with the same settings"
  }

  /// Queues records that are in no change log, for all recipients but a collector.
  ///
  /// - Returns: the number of messages.
  func queue<Row: StoredRecord>(
    _ records: [Row], at time: UTCInstant
  ) throws(PortError) -> Int {
    let known = try outbox.state()
    guard let state = known else {
      let end = try store.changeLogEnd()
      throw PortError(
        end == nil ? noChanges : "the outbox is new: run godwit uplink once before")
    }
    let dispatch = Dispatch(settings, board)
    var scratch = state
    var items: [OutboxItem] = []
    for record in records {
      guard let released = privacy.released(record), let id = Row.table.key.id(record) else {
        continue
      }
      let change = RecordChange(
        number: 0, layer: Row.layout.name, record: id, isWithdrawal: false)
      items += dispatch.items(for: change, released, &scratch).filter {
        $0.recipient.traits.isDisjoint(with: [.acknowledges, .newestOnly])
      }
    }
    let encrypted = try encrypted(items)
    try outbox.queue(encrypted, state: state, at: time)
    return encrypted.count
  }

  /// Handles the next portion. Returns false if there is no more.
  private func gather(
    _ state: inout OutboxState, _ result: inout Result, upTo end: ChangeLogPosition,
    skipping skipped: UTCInstant?, at time: UTCInstant
  ) throws(PortError) -> Bool {
    let last = state.position?.change ?? 0
    let changes = try store.changes(after: last, atMost: Self.portion)
    let dispatch = Dispatch(settings, board)
    var items: [OutboxItem] = []
    for change in changes {
      let record = try record(of: change, &result)
      let released = record.flatMap { privacy.released($0) }
      // Withheld records are not mentioned. A point's number is its time, so its deletion is
      // reported only where no time is private.
      let isTellable =
        record == nil
        && (privacy.isTransparent || change.layer != TrackPoint.layout.name)
      let new =
        isTellable || released != nil
        ? try encrypted(dispatch.items(for: change, released, &state)) : []
      let isOld = skipped.map { skipped in (record?.lastChange).map { $0 <= skipped } ?? true }
      items += isOld == true ? new.filter { $0.recipient.traits.contains(.acknowledges) } : new
      if let moment = record?.lastChange { state.newest = max(state.newest ?? moment, moment) }
    }
    state.position = ChangeLogPosition(
      log: end.log, opening: end.opening, change: changes.last?.number ?? last)
    let settled = state
    try outbox.queue(items, state: settled, at: time)
    result.queued += items.count
    return changes.count == Self.portion
  }

  /// Encrypts once, when items are queued: a repeated message has the same bytes.
  private func encrypted(_ items: [OutboxItem]) throws(PortError) -> [OutboxItem] {
    guard let encryptor else { return items }
    do {
      return try items.map { try encryptor.encrypted($0) }
    } catch {
      throw PortError("\(error)")
    }
  }

  private func record(
    of change: RecordChange, _ result: inout Result
  ) throws(PortError) -> (any StoredRecord)? {
    do {
      return try store.record(change.record, of: change.layer)
    } catch {
      // One row that cannot be understood must not stop the others for ever.
      guard case .corrupt(let why) = error else { throw error }
      if result.remarks.count < Self.mostRemarks {
        result.remarks.append("a record is left out: \(why)")
      }
      return nil
    }
  }
}
