import Delivery
import Formats
import Ports

/// OwnTracks' messages within its encrypted ones (booklet, features/encrypt).
struct OwnTracksEncryption {
  private let port: any EncryptorPort

  init(_ port: any EncryptorPort) { self.port = port }

  /// The same message for those who have the passphrase; others than OwnTracks get theirs as it is.
  func encrypted(_ item: OutboxItem) throws(PortError) -> OutboxItem {
    guard [.owntracks, .owntracksHTTP].contains(item.recipient) else { return item }
    var item = item
    item.payload = try encrypted(item.payload)
    return item
  }

  func encrypted(_ message: [UInt8]) throws(PortError) -> [UInt8] {
    OwnTracksMessage.encrypted(try port.encrypt(message)).bytes
  }

  /// What is in an encrypted message; nil: it is none, or nobody who knows the passphrase made it.
  func opened(_ message: OwnTracksMessage) -> OwnTracksMessage? {
    guard case .encrypted(let bytes) = message, let plain = try? port.open(bytes) else {
      return nil
    }
    return try? OwnTracksMessage(parsing: plain)
  }
}
