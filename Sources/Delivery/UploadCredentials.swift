import Core

/// How the board authenticates to a receiver.
public enum UploadCredentials: Hashable, Sendable {
  /// RFC 7617.
  case basic(user: String, password: Secret)
  /// RFC 6750.
  case bearer(Secret)
  /// A field of the query, such as `api_key`. Servers write it to their logs.
  case queryKey(name: String, Secret)

  var secret: Secret {
    switch self {
    case .basic(_, let secret), .bearer(let secret), .queryKey(_, let secret): secret
    }
  }

  /// Nil: they are in the query.
  var authorization: String? {
    switch self {
    case .basic(let user, let password):
      "Basic " + Base64.text(Array("\(user):\(password.text)".utf8))
    case .bearer(let token): "Bearer " + token.text
    case .queryKey: nil
    }
  }

  /// In bytes.
  private static let longest = 4096

  /// Why they cannot be sent; nil: they can. The text never contains the secret.
  var problem: String? {
    guard (1...Self.longest).contains(secret.text.utf8.count) else {
      return "the password or key must have 1 to \(Self.longest) bytes: check its file"
    }
    switch self {
    case .basic(let user, let password):
      if user.contains(":") || user.utf8.count > 256 || TerminalText.hasControlCharacter(user) {
        return
          "the user must contain neither ':' nor control characters, and have at most 256 bytes"
      }
      return TerminalText.hasControlCharacter(password.text)
        ? "the password has a control character: check its file for a line break" : nil
    case .bearer(let token):
      return token.text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        ? nil : "the token has an invalid character: check its file for a line break"
    case .queryKey(let name, let key):
      if name.isEmpty || name.utf8.count > 64 || TerminalText.hasControlCharacter(name) {
        return "the name of the key in the query must have 1 to 64 bytes"
      }
      return TerminalText.hasControlCharacter(key.text)
        ? "the key has a control character: check its file for a line break" : nil
    }
  }
}
