import Core

/// The uplink's status after a run: its process reports it to the daemon, which includes it in its
/// status.
public struct UplinkReport: Hashable, Sendable {
  /// A transport in back-off.
  public struct Failure: Hashable, Sendable {
    public var transport: UplinkTransport
    public var count: Int
    public var why: String

    public init(_ way: UplinkTransport, count: Int, why: String) {
      self.transport = way
      self.count = count
      self.why = why
    }
  }

  /// In characters, however long a server's text is.
  fileprivate static let longestReason = 300

  /// When the run was over.
  public var time: UTCInstant
  /// Messages for all recipients that are neither received nor refused.
  public var waiting: Int
  /// When the oldest of them was queued.
  var oldest: UTCInstant?
  /// Sent and received since midnight UTC.
  var bytesToday: Int
  public var failures: [Failure]
  /// Messages that were refused, and are kept until they are queued again.
  public var refused: Int

  public init(
    at time: UTCInstant, waiting: Int, oldest: UTCInstant? = nil, bytesToday: Int = 0,
    failures: [Failure] = [], refused: Int = 0
  ) {
    self.refused = refused
    self.time = time
    self.waiting = waiting
    self.oldest = oldest
    self.bytesToday = bytesToday
    self.failures = failures
  }

  public var json: JSONValue {
    .object([
      ("time", .string(ISO8601.text(time, digits: 0))),
      ("waiting", .count(waiting)),
      ("oldest", .text(oldest.map { ISO8601.text($0, digits: 0) })),
      ("bytes_today", .count(bytesToday)),
      ("refused", .count(refused)),
      (
        "failures",
        .array(
          failures.map { failure in
            .object([
              ("way", .string(failure.transport.name)), ("in_a_row", .count(failure.count)),
              ("why", .string(failure.why)),
            ])
          })
      ),
    ])
  }

  /// Nil: invalid.
  public init?(_ json: JSONValue) {
    guard let time = json["time"]?.string.flatMap({ ISO8601.parse($0) }),
      let waiting = json["waiting"]?.integer, waiting >= 0,
      let bytes = json["bytes_today"]?.integer, bytes >= 0
    else { return nil }
    self.init(
      at: time, waiting: waiting,
      oldest: json["oldest"]?.string.flatMap { ISO8601.parse($0) }, bytesToday: bytes,
      failures: (json["failures"]?.array ?? []).prefix(UplinkTransport.mostFailing)
        .compactMap(Failure.init), refused: max(json["refused"]?.integer ?? 0, 0))
  }
}

extension UplinkReport.Failure {
  fileprivate init?(_ json: JSONValue) {
    guard let way = json["way"]?.string.flatMap(UplinkTransport.init(name:)),
      let why = json["why"]?.string, let count = json["in_a_row"]?.integer, count >= 0
    else { return nil }
    let text = TerminalText.line(why)
    self.init(way, count: count, why: String(text.prefix(UplinkReport.longestReason)))
  }
}
