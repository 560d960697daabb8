/// Bytes over a connection, in either direction, with the overhead of the protocols above TCP.
public struct Traffic: Hashable, Sendable {
  public static let zero = Traffic(sent: 0, received: 0)

  public var sent: Int
  public var received: Int

  public init(sent: Int, received: Int) {
    self.sent = sent
    self.received = received
  }

  public var total: Int { sent + received }

  public static func + (a: Traffic, b: Traffic) -> Traffic {
    Traffic(sent: a.sent + b.sent, received: a.received + b.received)
  }

  public static func - (a: Traffic, b: Traffic) -> Traffic {
    Traffic(sent: a.sent - b.sent, received: a.received - b.received)
  }
}
