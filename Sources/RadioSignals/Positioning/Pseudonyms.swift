import Core

/// What identifiers of access points and cells are kept under: a hash with a salt of this device's,
/// so that a lost file does not tell which ones were heard, and two files cannot be compared.
///
/// HMAC-SHA256 (RFC 2104), cut off after 64 bits. With 50,000 identifiers, two of them share a
/// pseudonym with a probability of 7e-11. Without the salt the few billion addresses that there are
/// would be hashed in minutes; with the file, which holds the salt, they still are: this protects
/// what is told and exported, not a file in wrong hands.
public struct Pseudonyms: Sendable {
  /// Of the salt, in bytes.
  public static let saltSize = 16

  /// The two keys, hashed already: most of the work for a short text.
  private let inner: SHA256
  private let outer: SHA256

  /// - Parameter salt: secret bytes by chance, `saltSize` of them; more than 64 are not used.
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

  /// - Parameter identifier: as `AccessPointSignal` and `CellIdentity.text` write it; capitals and
  ///   small letters are not the same.
  public func of(_ identifier: String) -> Int64 {
    var hash = inner
    hash.update(Array(identifier.utf8))
    var result = outer
    result.update(hash.digestBytes)
    return result.digestBytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  /// The same in 16 hexadecimal digits, for records and messages.
  public func text(_ identifier: String) -> String {
    let digits = String(UInt64(bitPattern: of(identifier)), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
