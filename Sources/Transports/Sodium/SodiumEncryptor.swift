import CShims
import Delivery
import Ports

/// Encrypts like OwnTracks' apps and servers (booklet, features/encrypt): libsodium's
/// `crypto_secretbox_easy` with a random nonce before it. The key is the passphrase itself, padded
/// with zeros and not derived: it is as strong as the passphrase.
public final class SodiumEncryptor: EncryptorPort {
  /// Bytes before the ciphertext, which is as long as the plaintext.
  public static let overhead = nonceCount + macCount
  /// Length of a passphrase, in UTF-8.
  static let passphraseBytes = 1...keyCount

  private static let keyCount = Int(GODWIT_SODIUM_KEY_BYTES)
  private static let nonceCount = Int(GODWIT_SODIUM_NONCE_BYTES)
  private static let macCount = Int(GODWIT_SODIUM_MAC_BYTES)

  private let key: [UInt8]

  /// Loads libsodium.
  public init(passphrase: Secret) throws(PortError) {
    let bytes = Array(passphrase.text.utf8)
    guard Self.passphraseBytes.contains(bytes.count) else {
      throw .refused(
        bytes.isEmpty
          ? "the passphrase is empty: choose one of 1 to \(Self.keyCount) bytes"
          : "the passphrase has \(bytes.count) bytes in UTF-8, but OwnTracks accepts at most "
            + "\(Self.keyCount): choose a shorter one, on all devices")
    }
    if let problem = godwit_sodium_load() {
      throw .unavailable("cannot encrypt: \(String(cString: problem))")
    }
    key = bytes + [UInt8](repeating: 0, count: Self.keyCount - bytes.count)
  }

  public func encrypt(_ plain: [UInt8]) throws(PortError) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Self.nonceCount)
    godwit_sodium_random(&nonce, nonce.count)
    var encrypted = [UInt8](repeating: 0, count: plain.count + Self.macCount)
    guard godwit_sodium_seal(&encrypted, plain, plain.count, nonce, key) else {
      throw .unavailable("cannot encrypt: libsodium refuses \(plain.count) bytes")
    }
    return nonce + encrypted
  }

  public func open(_ encrypted: [UInt8]) throws(PortError) -> [UInt8] {
    guard encrypted.count >= Self.overhead else {
      throw .refused(
        "an encrypted message has \(encrypted.count) bytes, but nonce and authenticator alone need "
          + "\(Self.overhead)")
    }
    let nonce = Array(encrypted[..<Self.nonceCount])
    let rest = Array(encrypted[Self.nonceCount...])
    var plain = [UInt8](repeating: 0, count: rest.count - Self.macCount)
    guard godwit_sodium_open(&plain, rest, rest.count, nonce, key) else {
      throw .refused(
        "an encrypted message has another passphrase, or was changed in transit: compare "
          + "the passphrases of both sides")
    }
    return plain
  }
}
