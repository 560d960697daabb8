import Delivery
import Formats
import Ports

/// OwnTracks messages inside its encrypted messages (booklet, features/encrypt).
struct OwnTracksEncryption {
  private let port: any EncryptorPort

  init(_ port: any EncryptorPort) { self.port = port }

  /// Encrypts the messages for OwnTracks; those for others stay unchanged.
  func encrypted(_ item: OutboxItem) throws(PortError) -> OutboxItem {
    guard item.recipient.traits.contains(.ownTracksMessages) else { return item }
    var item = item
    item.payload = try encrypted(item.payload)
    return item
  }

  func encrypted(_ message: [UInt8]) throws(PortError) -> [UInt8] {
    OwnTracksMessage.encrypted(try port.encrypt(message)).bytes
  }

  /// The content of an encrypted message; nil: it is not encrypted, or not with this passphrase.
  func opened(_ message: OwnTracksMessage) -> OwnTracksMessage? {
    guard case .encrypted(let bytes) = message, let plain = try? port.open(bytes) else {
      return nil
    }
    return try? OwnTracksMessage(parsing: plain)
  }
}
