import Delivery
import Core

/// Messages that wait for their recipients, on a disk. Every call is a transaction: what it has
/// returned from survives a power cut.
public protocol OutboxPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// Whether others who open the outbox find this one: what they say goes into another otherwise.
  var isInPlace: Bool { get }
  /// Nil: nothing was ever queued.
  func state() throws(PortError) -> OutboxState?
  /// Puts messages in, and remembers from where to go on. Those that are newest only take the
  /// place of the ones that wait with the same topic.
  func queue(
    _ items: [OutboxItem], state: OutboxState, at time: UTCInstant
  ) throws(PortError)
  /// Those that wait to be sent, in the order in which they were queued.
  ///
  /// - Parameter rank: those alone; nil: all.
  func waiting(
    for recipient: Recipient, rank: OutboxItem.Rank?, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem]
  /// The newest of those that wait and that a broker is to keep; nil: none does.
  func newestRetained(for recipient: Recipient) throws(PortError) -> OutboxItem?
  func settle(_ settlements: [DeliveryResult], at time: UTCInstant) throws(PortError)
  /// The collector has everything of the stream up to this number.
  /// - Returns: how many did not count as received before.
  func collected(
    _ receipt: CollectorReceipt, at time: UTCInstant
  ) throws(PortError) -> Int
  /// What was handed over longer ago than the pause, and is not received, is sent again; after
  /// longer each time while nothing is acknowledged.
  func resend(after pause: Seconds, at now: UTCInstant) throws(PortError) -> Resending
  /// Forgets what was received before that time, and of what waits or was refused the oldest beyond
  /// the bound: what was refused first, then the less important. What a collector has a number for
  /// is told instead.
  /// - Returns: how many are dropped.
  func tidy(settledBefore time: UTCInstant, atMost most: Int) throws(PortError) -> Int
  /// Keeps the id of an order until then. Of too many, those that end first are forgotten.
  /// - Returns: whether it is the first of its id.
  func remember(
    order id: String, until end: UTCInstant, at time: UTCInstant
  ) throws(PortError) -> Bool
  /// The order was not carried out.
  func forget(order id: String) throws(PortError)
  /// Of every recipient that has anything here.
  func summaries() throws(PortError) -> [OutboxSummary]
  /// Which ways are left alone for a time.
  func holds() throws(PortError) -> [UplinkTransport: Hold]
  /// - Parameter hold: nil: the way works.
  func set(_ hold: Hold?, for way: UplinkTransport) throws(PortError)
  /// Keeps it in the activity log, which is bounded, and forgotten with what was settled.
  func note(_ exchange: Exchange) throws(PortError)
  /// The newest of the activity log, the oldest of them first.
  func exchanges(atMost most: Int) throws(PortError) -> [Exchange]
  /// In which nothing that is recorded goes out, those that are over included: what was recorded
  /// then may be queued later.
  func pauses() throws(PortError) -> [UplinkPause]
  /// How many bytes were exchanged since that time.
  func bytes(since time: UTCInstant) throws(PortError) -> Int
}

extension OutboxPort {
  public func waiting(
    for recipient: Recipient, after number: Int64, atMost most: Int
  ) throws(PortError) -> [OutboxItem] {
    try waiting(for: recipient, rank: nil, after: number, atMost: most)
  }
}
