import Core

/// A public key in the form of ssh-keygen(1)'s .pub files: type, key in Base64, comment. Options
/// before the type (authorized_keys(5)) are rejected, because they could run a program.
struct SSHKey {
  /// The key types that OpenSSH 9 accepts, and the number of fields: the type (RFC 4253, section
  /// 6.6; RFC 5656, section 3.1; RFC 8709, section 4), and the type's own; for sk- those of
  /// PROTOCOL.u2f.
  private static let fields = [
    "ssh-ed25519": 2, "ssh-rsa": 3, "ecdsa-sha2-nistp256": 3, "ecdsa-sha2-nistp384": 3,
    "ecdsa-sha2-nistp521": 3, "sk-ssh-ed25519@openssh.com": 3,
    "sk-ecdsa-sha2-nistp256@openssh.com": 4,
  ]
  private static let maxLength = 8192
  private static let maxCommentLength = 100

  let kind: String
  let comment: String
  private let bytes: [UInt8]

  init(_ text: String) throws(SettingMismatch) {
    guard text.utf8.count <= Self.maxLength else {
      throw SettingMismatch("has \(text.utf8.count) bytes, more than any public key")
    }
    guard !text.contains("PRIVATE KEY") else {
      throw SettingMismatch(
        "is a private key, which must stay secret: delete it here and stop using it, because "
          + "others may have read it; write the line of the .pub file")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count <= 1 else {
      throw SettingMismatch("has \(lines.count) lines; write each key in separate quotes")
    }
    let words = (lines.first ?? "").split(maxSplits: 2) { $0 == " " || $0 == "\t" }
    guard words.count >= 2, let count = Self.fields[String(words[0])] else {
      let kinds = Self.fields.keys.sorted().joined(separator: ", ")
      throw SettingMismatch(
        "is not a public key: it must be the whole line of a .pub file, which begins with one of "
          + "\(kinds)")
    }
    kind = String(words[0])
    guard let bytes = Base64.bytes(String(words[1])) else {
      throw SettingMismatch("is incomplete: copy the whole line of the .pub file")
    }
    self.bytes = bytes
    guard let parts = Self.parts(bytes), parts.count == count, parts[0].elementsEqual(kind.utf8),
      parts.dropFirst().allSatisfy({ !$0.isEmpty }) || kind.hasPrefix("sk-"),
      kind != "ssh-ed25519" || parts[1].count == 32
    else {
      throw SettingMismatch("is not a key of kind \(kind): copy the whole line of the .pub file")
    }
    let given = words.count > 2 ? TerminalText.line(String(words[2])) : ""
    comment = String(given.prefix(Self.maxCommentLength))
  }

  /// In the form of authorized_keys(5).
  var line: String {
    "\(kind) \(Base64.text(bytes))" + (comment.isEmpty ? "" : " \(comment)")
  }

  /// In the form of `ssh-keygen -l`.
  var fingerprint: String {
    var digest = SHA256()
    digest.update(bytes)
    return "SHA256:" + Base64.text(digest.digestBytes, isPadded: false)
  }

  /// The strings of the key, each preceded by its length (RFC 4251, section 5); nil if they do not
  /// end with the key.
  private static func parts(_ bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
    var rest = bytes[...]
    var parts: [ArraySlice<UInt8>] = []
    while !rest.isEmpty {
      guard rest.count >= 4 else { return nil }
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard length <= rest.count else { return nil }
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    return parts
  }
}
