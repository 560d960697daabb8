/// The topics of a device in Home Assistant.
///
/// Some brokers close the connection after a publication to a topic with a dot or a space
/// (nats-server 2.9), and no topic may contain a wildcard (MQTT 5, 4.7): such topics are refused
/// here.
public struct HomeAssistantTopics: Hashable, Sendable {
  /// In bytes. MQTT itself allows more, brokers often less, and no topic needs as much.
  private static let longest = 256

  /// The permanent id of the device in Home Assistant.
  let id: String
  /// Retained. An empty message there removes the device.
  public let discovery: String
  /// The newest position, retained.
  public let position: String
  /// The newest state, with a member for every sensor; retained.
  public let state: String

  /// Nil: one of them cannot be part of a topic.
  ///
  /// - Parameters:
  ///   - id: letters, digits, `_` and `-`, as for the node.
  ///   - base: prefix for the topics of position and state.
  ///   - prefix: the discovery prefix that Home Assistant has subscribed to.
  ///   - node: one more level before the id, for access rules of a broker.
  public init?(
    id: String, under base: String, prefix: String = "homeassistant", node: String? = nil
  ) {
    guard Self.isID(id), node.map(Self.isID) ?? true, Self.isTopic(base), Self.isTopic(prefix)
    else { return nil }
    self.id = id
    discovery = ([prefix, "device"] + (node.map { [$0] } ?? []) + [id, "config"])
      .joined(separator: "/")
    position = "\(base)/position"
    state = "\(base)/state"
  }

  private static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Non-empty levels of visible characters, and no topic of the broker's own ("$SYS").
  private static func isTopic(_ text: String) -> Bool {
    let isSound = text.unicodeScalars.allSatisfy { character in
      switch character {
      case "+", "#", ".": false
      default:
        character.value > 0x20 && !character.properties.isWhitespace
          && !character.properties.isNoncharacterCodePoint
          && character.properties.generalCategory != .control
      }
    }
    return isSound && text.utf8.count <= Self.longest && !text.hasPrefix("$")
      && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
  }
}
