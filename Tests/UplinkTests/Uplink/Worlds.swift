import Delivery
import Ports
import Core
import Records

/// A store's log of changes, in memory.
final class LoggedStore: ChangesPort {
  let name = "a store"
  var log: String? = "1"
  var openings: [UInt32] = [1]
  var changes: [RecordChange] = []
  var rows: [Int64: any StoredRecord] = [:]
  var damaged: Set<Int64> = []
  /// How many readings a concurrent writer disturbs.
  var disturbances = 0
  private(set) var openingCount = 0

  func reopen() { openingCount += 1 }

  func add(_ row: some StoredRecord, _ id: Int64, _ layer: String) {
    changes.append(
      RecordChange(
        number: Int64(changes.count + 1), layer: layer, record: id, isWithdrawal: false))
    rows[id] = row
  }

  func changeLogEnd() -> ChangeLogPosition? {
    log.map {
      ChangeLogPosition(log: $0, opening: openings.last, change: Int64(changes.count))
    }
  }

  func continues(from position: ChangeLogPosition) -> Bool {
    log == position.log && openings.contains(position.opening ?? 0)
      && Int64(changes.count) >= position.change
  }

  func changes(
    after number: Int64, atMost most: Int
  ) throws(PortError) -> [RecordChange] {
    if disturbances > 0 {
      disturbances -= 1
      throw .busy("\(name) was changed")
    }
    return Array(changes.filter { $0.number > number }.prefix(most))
  }

  func record(_ id: Int64, of layer: String) throws(PortError) -> (any StoredRecord)? {
    if damaged.contains(id) { throw .corrupt("\(layer), id \(id)") }
    return rows[id]
  }

  var places: [PlaceRow] = []

  func places(called name: String) -> [PlaceRow] {
    places.filter { $0.place.name == name || $0.place.uuid == name }
  }
}

/// An outbox in memory.
final class ListedOutbox: OutboxPort {
  let name = "an outbox"
  var isInPlace = true
  var items: [OutboxItem] = []
  var kept: OutboxState?
  var settled: [DeliveryResult] = []
  var receipts: [CollectorReceipt] = []
  var failure: PortError?

  func state() -> OutboxState? { kept }

  func queue(
    _ new: [OutboxItem], state: OutboxState, at time: UTCInstant
  ) throws(PortError) {
    if let failure { throw failure }
    for var item in new {
      item.number = Int64(items.count + 1)
      items.append(item)
    }
    kept = state
  }

  func waiting(
    for recipient: Recipient, rank: OutboxItem.Rank?, after number: Int64, atMost most: Int
  ) -> [OutboxItem] {
    let done = Set(settled.map(\.number))
    return Array(
      items.filter {
        $0.recipient == recipient && $0.number > number && !done.contains($0.number)
          && (rank == nil || $0.rank == rank)
      }.prefix(most))
  }

  func newestRetained(for recipient: Recipient) -> OutboxItem? {
    waiting(for: recipient, rank: nil, after: 0, atMost: .max).last { $0.isRetained }
  }

  private var orders: Set<String> = []

  func remember(order id: String, until end: UTCInstant, at time: UTCInstant) -> Bool {
    orders.insert(id).inserted
  }

  func forget(order id: String) { orders.remove(id) }

  func confirm(_ settlements: [DeliveryResult], at time: UTCInstant) { settled += settlements }

  func collected(_ receipt: CollectorReceipt, at time: UTCInstant) -> Int {
    receipts.append(receipt)
    return 0
  }

  func resend(after pause: Seconds, at now: UTCInstant) -> Resending { Resending() }
  func prune(settledBefore time: UTCInstant, atMost most: Int) -> Int { 0 }
  func summaries() -> [OutboxSummary] { [] }

  private(set) var held: [UplinkTransport: TransportBackOff] = [:]
  private(set) var noted: [Exchange] = []
  var paused: [UplinkPause] = []

  func backoffs() -> [UplinkTransport: TransportBackOff] { held }
  func set(_ hold: TransportBackOff?, for way: UplinkTransport) { held[way] = hold }
  func note(_ exchange: Exchange) { noted.append(exchange) }
  func pauses() -> [UplinkPause] { paused }
  func exchanges(atMost most: Int) -> [Exchange] { Array(noted.suffix(most)) }
  func bytes(since time: UTCInstant) -> Int {
    noted.filter { $0.time >= time }.reduce(0) { $0 + $1.sentBytes + $1.receivedBytes }
  }
}
