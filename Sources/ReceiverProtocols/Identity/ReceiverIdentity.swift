/// Who a receiver says it is. Learnt from its answers, one after the other, in any order.
public struct ReceiverIdentity: Hashable, Sendable {
  public internal(set) var vendor: String?
  /// Of the module, where the receiver knows it: "NEO-M8N-0", "PA1010D", "ATGM336H".
  public internal(set) var model: String?
  /// "00080000", "AG3352Q", "AT6558-5N-31-0C510800".
  public internal(set) var chip: String?
  public internal(set) var firmware: String?
  /// Of UBX.
  public internal(set) var protocolVersion: UBXProtocolVersion?
  /// Nil until an answer leaves no doubt.
  public internal(set) var family: ReceiverFamily?

  public init() {}

  /// What it can do, as far as is known.
  public var abilities: ReceiverAbilities {
    ReceiverAbilities(of: family ?? .other, version: protocolVersion)
  }

  /// How it is commanded.
  public var commands: ReceiverCommands {
    ReceiverCommands(family: family ?? .other, version: protocolVersion)
  }
}
