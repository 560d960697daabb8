/// The health of the daemon's process: its cost, and its undelivered output.
public struct ServiceHealth: Hashable, Sendable {
  /// Wakes of the loop since the start.
  public var wakeups = 0
  /// Messages that standard error did not accept.
  public var droppedMessages = 0
  /// Notices and watchdog signals that the service manager did not accept.
  public var droppedNotices = 0
  /// Clients of the control socket that were disconnected to make room for others.
  public var shedClients = 0
  /// Connections to the control socket that could not be accepted.
  public var failedConnections = 0

  public init() {}
}
