import Core

/// What bounds a connection to a broker in time and memory.
enum BrokerSessionLimits {
  /// Messages in flight at once, whatever the broker would accept: each is in memory twice.
  static let maxInFlight = 20
  /// In bytes; half of a port's limit.
  static let maxBytesInFlight = 4_194_304
  /// Without an acknowledgement for so long, the connection counts as lost.
  static let acknowledgementTimeout: Seconds = 30
  /// The same while disconnecting: a service has 15 s for that.
  static let disconnectTimeout: Seconds = 5
  /// Waiting time for pending requests, after the last message.
  static let requestWait: Seconds = 2
  /// Limit for that, however much arrives: a publisher must not keep the board awake.
  static let maxRequestWait: Seconds = 60
  /// For the whole connection, if it does not stay: the rest waits for the next one.
  static let maxDuration: Seconds = 1800
  /// A flooded connection that stays subscribes again after so long.
  static let resubscribeDelay: Seconds = 600
  /// Waiting time for a collector's receipt.
  static let receiptTime: Seconds = 10
}
