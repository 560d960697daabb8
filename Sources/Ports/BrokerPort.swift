import Delivery

/// A connection to a broker of MQTT. When it is ready, or due, `poll` has work.
public protocol BrokerPort: EventPort {
  /// Begins to connect, instead of what was before: slow names and dead hosts hold up nobody.
  /// `poll` tells how it ended.
  func connect(to broker: BrokerAddress, as visit: BrokerLogin)
  /// `poll` tells what the broker says to it.
  func subscribe(to topics: [String])
  /// Whether another message may be published now. What is under way is in memory until the broker
  /// has acknowledged it: false from 1,000 messages or 8 MiB on. `poll` has something when that
  /// changes.
  var hasRoom: Bool { get }
  /// Whoever publishes has seen that there is room.
  ///
  /// - Parameter number: by which `poll` tells that it was acknowledged.
  /// - Returns: why it is not sent to this broker; nil: it is under way, or lost with the
  ///   connection.
  func publish(_ message: BrokerMessage, number: Int64) -> PublishReason?
  /// Leaves with a word, after what is under way; `poll` tells when that is done.
  func disconnect()
  /// The next thing that has happened; nil: nothing more for now.
  func poll() -> BrokerEvent?
  /// Since it was made, over all its connections.
  var traffic: Traffic { get }
}
