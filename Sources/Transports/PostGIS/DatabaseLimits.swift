import Core

/// Timeouts for a database. While waiting for it, the collector answers no broker.
public struct DatabaseLimits: Sendable {
  /// For each address of the server; libpq uses whole seconds, two at least.
  var connecting: Seconds = 10
  /// The server cancels a statement after so long.
  var statement: Seconds = 20
  /// The same on our side, for a server that does not answer at all.
  var answer: Seconds = 25
  /// All statements of a batch together.
  var transaction: Seconds = 30
  /// Unacknowledged bytes end a connection after so long, as does a silent line.
  var silence: Seconds = 30
  /// Between two attempts to connect: the first pause, doubled up to the longest.
  var firstPause: Seconds = 1
  var longestPause: Seconds = 60

  public init() {}
}
