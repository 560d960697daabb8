import Core

/// Pseudonyms of access points and cells: a hash with a salt of this device. A lost file does not
/// reveal which ones were received, and two files cannot be compared.
///
/// HMAC-SHA256 (RFC 2104), truncated to 64 bits. With 50,000 identifiers, two of them share a
/// pseudonym with a probability of 7e-11. Without the salt, the few billion possible addresses
/// could be hashed in minutes. With the file, which contains the salt, they still can: the
/// pseudonyms protect reported and exported data, not a stolen file.
public struct Pseudonyms: Sendable {
  /// The size of the salt, in bytes.
  public static let saltSize = 16

  /// The two keys in hashed form: most of the work for a short text.
  private let inner: SHA256
  private let outer: SHA256

  /// - Parameter salt: `saltSize` random, secret bytes; at most 64 are used.
  public init(salt: [UInt8]) {
    let key = salt.prefix(SHA256.blockSize)
    let padded = key + [UInt8](repeating: 0, count: SHA256.blockSize - key.count)
    var inner = SHA256()
    inner.update(padded.map { $0 ^ 0x36 })
    var outer = SHA256()
    outer.update(padded.map { $0 ^ 0x5C })
    self.inner = inner
    self.outer = outer
  }

  /// - Parameter identifier: in the form of `AccessPointSignal` and `CellIdentity.text`,
  ///   case-sensitive.
  public func of(_ identifier: String) -> Int64 {
    var hash = inner
    hash.update(Array(identifier.utf8))
    var result = outer
    result.update(hash.digestBytes)
    return result.digestBytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  /// The same as 16 hexadecimal digits, for records and messages.
  public func text(_ identifier: String) -> String {
    let digits = String(UInt64(bitPattern: of(identifier)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
