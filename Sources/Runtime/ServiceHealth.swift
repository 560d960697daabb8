/// The health of the daemon's process: its cost, and its undelivered output.
struct ServiceHealth: Hashable, Sendable {
  /// Wakes of the loop since the start.
  var wakeups = 0
  /// Messages that standard error did not accept.
  var droppedMessages = 0
  /// Notices and watchdog signals that the service manager did not accept.
  var droppedNotices = 0
  /// Clients of the control socket that were disconnected to make room for others.
  var shedClients = 0
  /// Connections to the control socket that could not be accepted.
  var failedConnections = 0

  init() {}
}
