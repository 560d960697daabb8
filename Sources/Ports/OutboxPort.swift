import Delivery
import Core

/// Messages that wait for their recipients, on a disk. Every call is a transaction: when it has
/// returned, its result survives a power cut.
public protocol OutboxPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// Whether the path still leads to this outbox; otherwise other processes write into another one.
  var isInPlace: Bool { get }
  /// Nil: nothing has ever been queued.
  func state() throws(PortError) -> OutboxState?
  /// Queues messages, and stores the state to continue from. Newest-only messages replace waiting
  /// ones with the same topic.
  func queue(
    _ items: [OutboxItem], state: OutboxState, at time: UTCInstant
  ) throws(PortError)
  /// The waiting messages in the order of queueing.
  ///
  /// - Parameter rank: restricts the result to one rank; nil: all.
  func waiting(
    for recipient: Recipient, rank: OutboxItem.Rank?, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem]
  /// The newest waiting message that a broker has to retain; nil: none.
  func newestRetained(for recipient: Recipient) throws(PortError) -> OutboxItem?
  func confirm(_ settlements: [DeliveryResult], at time: UTCInstant) throws(PortError)
  /// The collector has received the whole stream up to this number.
  /// - Returns: the number of newly acknowledged messages.
  func collected(
    _ receipt: CollectorReceipt, at time: UTCInstant
  ) throws(PortError) -> Int
  /// Schedules messages again that were sent before the pause and are not acknowledged; the pause
  /// grows while nothing is acknowledged.
  func resend(after pause: Seconds, at now: UTCInstant) throws(PortError) -> Resending
  /// Deletes messages that were acknowledged before that time. Beyond the bound it also drops the
  /// oldest waiting and refused ones: refused ones first, then less important ones. For numbers of
  /// a collector's stream, the drop is reported to the collector.
  /// - Returns: the number of dropped messages.
  func prune(settledBefore time: UTCInstant, atMost most: Int) throws(PortError) -> Int
  /// Stores the id of an order until that time. Beyond the limit, those that end first are deleted.
  /// - Returns: whether the id is new.
  func remember(
    order id: String, until end: UTCInstant, at time: UTCInstant
  ) throws(PortError) -> Bool
  /// Deletes the id, because the order was not carried out.
  func forget(order id: String) throws(PortError)
  /// One for every recipient with messages here.
  func summaries() throws(PortError) -> [OutboxSummary]
  /// The transports in back-off.
  func backoffs() throws(PortError) -> [UplinkTransport: TransportBackOff]
  /// - Parameter hold: nil: the transport works.
  func set(_ hold: TransportBackOff?, for way: UplinkTransport) throws(PortError)
  /// Adds an entry to the activity log, which is bounded, and expires like acknowledged messages.
  func note(_ exchange: Exchange) throws(PortError)
  /// The newest entries of the activity log, in ascending order.
  func exchanges(atMost most: Int) throws(PortError) -> [Exchange]
  /// The periods in which no records are sent, including past ones, because records of such a
  /// period may be queued later.
  func pauses() throws(PortError) -> [UplinkPause]
  /// The number of exchanged bytes since that time.
  func bytes(since time: UTCInstant) throws(PortError) -> Int
}

extension OutboxPort {
  public func waiting(
    for recipient: Recipient, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem] {
    try waiting(for: recipient, rank: nil, after: number, atMost: most)
  }
}
