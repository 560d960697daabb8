import Core

/// A collector's receipt for a board: all numbers of a stream up to one.
/// `{"_type":"received","stream":"4fa2","through":120}`.
public struct CollectorReceipt: Hashable, Sendable {
  static let type = "received"

  public let stream: String
  /// 0: nothing yet.
  public let through: Int64
  /// Whether it was sent just now; a broker also delivers the retained one to new subscribers.
  public private(set) var isLive = true

  public init(stream: String, through: Int64) {
    self.stream = stream
    self.through = through
  }

  public var bytes: [UInt8] {
    var json = JSONWriter()
    json.object {
      $0.field("_type", Self.type)
      $0.field("stream", stream)
      $0.field("through", Int(through))
    }
    return json.bytes
  }

  /// Nil if it is not a receipt.
  init?(_ message: BrokerEvent.Message) {
    self.init(parsing: message.payload)
    isLive = !message.isRetained
  }

  /// Nil if it is not a receipt.
  public init?(parsing bytes: [UInt8]) {
    guard let json = try? JSONValue(parsing: bytes), json["_type"]?.string == Self.type,
      let stream = json["stream"]?.string, let through = json["through"]?.integer, through >= 0
    else { return nil }
    self.init(stream: stream, through: Int64(through))
  }
}
