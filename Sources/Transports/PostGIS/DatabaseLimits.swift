import Core

/// How long a database may take. While it is waited for, the collector answers no broker.
public struct DatabaseLimits: Sendable {
  /// For each address of the server; libpq takes whole seconds, two at least.
  public var connecting: Seconds = 10
  /// The server gives a statement up after so long.
  public var statement: Seconds = 20
  /// The same here, for a server that does not answer at all.
  public var answer: Seconds = 25
  /// All statements of a batch together.
  public var transaction: Seconds = 30
  /// Bytes that nobody has acknowledged end a connection, as does a silent line.
  public var silence: Seconds = 30
  /// Between two attempts to connect: the first pause, doubled up to the longest.
  public var firstPause: Seconds = 1
  public var longestPause: Seconds = 60

  public init() {}
}
