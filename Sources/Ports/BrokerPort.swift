import Delivery

/// A connection to an MQTT broker. When it is ready, or due, `poll` has work.
public protocol BrokerPort: EventPort {
  /// Begins a connection, which replaces the previous one. Slow name resolution and dead hosts do
  /// not block the caller: `poll` reports the result.
  func connect(to broker: BrokerAddress, as login: BrokerLogin)
  /// `poll` reports the broker's answer.
  func subscribe(to topics: [String])
  /// Whether another message may be published now. Messages stay in memory until the broker has
  /// acknowledged them: false from 1,000 messages or 8 MiB on. `poll` has an event when that
  /// changes.
  var hasRoom: Bool { get }
  /// The caller checks `hasRoom` first.
  ///
  /// - Parameter number: identifies the message when `poll` reports its acknowledgement.
  /// - Returns: why it is not sent to this broker; nil: it is in flight, or lost with the
  ///   connection.
  func publish(_ message: BrokerMessage, number: Int64) -> PublishReason?
  /// Disconnects cleanly after the messages in flight; `poll` reports the end.
  func disconnect()
  /// The next event; nil: none at present.
  func poll() -> BrokerEvent?
  /// Since its creation, over all connections.
  var traffic: Traffic { get }
}
