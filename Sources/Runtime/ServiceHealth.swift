/// How the daemon fares as a process: what it costs, and what it could not get rid of.
public struct ServiceHealth: Hashable, Sendable {
  /// How often the loop has woken from its rest since the start.
  public var wakeups = 0
  /// Messages that standard error did not take.
  public var droppedMessages = 0
  /// Notices and signs of life that the service manager did not take.
  public var droppedNotices = 0
  /// Clients of the control socket that were let go to make room for others.
  public var shedClients = 0
  /// Connections to the control socket that could not be taken when they came.
  public var failedConnections = 0

  public init() {}
}
