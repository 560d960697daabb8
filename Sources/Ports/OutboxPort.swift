import Delivery
import Quantities

/// Messages that wait for their recipients, on a disk. Every call is a transaction: what it has
/// returned from survives a power cut.
public protocol OutboxPort: AnyObject {
  /// For messages: the path of the file.
  var name: String { get }
  /// Nil: nothing was ever queued.
  func state() throws(OutboxError) -> OutboxState?
  /// Puts messages in, and remembers from where to go on. Those that are newest only take the
  /// place of the ones that wait with the same topic.
  func queue(
    _ items: [OutboxItem], state: OutboxState, at time: UTCInstant
  ) throws(OutboxError)
  /// Those that wait to be sent, in the order in which they were queued.
  func waiting(
    for recipient: Recipient, after number: Int64, atMost most: Int
  ) throws(OutboxError) -> [OutboxItem]
  func settle(_ settlements: [Settlement], at time: UTCInstant) throws(OutboxError)
  /// The collector has everything of the stream up to this number.
  /// - Returns: how many did not count as received before.
  func collected(
    _ receipt: CollectorReceipt, at time: UTCInstant
  ) throws(OutboxError) -> Int
  /// What was handed over before that time and is not received is sent again.
  /// - Returns: how many.
  func resend(handedOverBefore time: UTCInstant) throws(OutboxError) -> Int
  /// Forgets what was received or refused before that time, and of what waits the oldest beyond
  /// the bound: the less important first. What a collector has a number for is told instead.
  /// - Returns: how many that waited are dropped.
  func tidy(settledBefore time: UTCInstant, atMost most: Int) throws(OutboxError) -> Int
  /// Of every recipient that has anything here.
  func summaries() throws(OutboxError) -> [OutboxSummary]
}

public struct OutboxError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
