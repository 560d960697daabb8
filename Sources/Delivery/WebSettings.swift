import Core

/// A receiver of web requests: its address, and how the board authenticates. Secrets are in files.
public struct WebSettings: Equatable, Sendable {
  public enum Credentials: Hashable, Sendable {
    case none
    case password(user: String, file: String)
    case token(file: String)
    case queryKey(file: String)
  }

  public enum Place: Hashable, Sendable {
    case address(WebAddress)
    /// The address itself is a secret.
    case file(String)
  }

  /// Name of the query field with a key; the same for all receivers that accept one there.
  public static let queryKeyName = "api_key"

  public let recipient: Recipient
  private var url: String?
  private var urlFile: String?
  private var user: String?
  private var passwordFile: String?
  private var tokenFile: String?
  private var queryKeyFile: String?
  public private(set) var tls = TLSSettings()
  /// The settings of its protocol alone.
  private var own = SettingCollection()

  /// - Parameter recipient: one that is reached by web requests; its name is that of the section.
  public init(_ recipient: Recipient) {
    precondition(recipient.transport == .web, "\(recipient.rawValue) is not reached by requests")
    self.recipient = recipient
  }

  /// Its protocol with the settings.
  var receiver: any WebProtocol {
    func receiver<Receiver: WebProtocol>(_ type: Receiver.Type) -> any WebProtocol { own[type] }
    return receiver(WebProtocols.named(recipient))
  }

  /// Nil: disabled.
  public var place: Place? {
    if let urlFile { return .file(urlFile) }
    return url.flatMap { try? WebAddress(parsing: $0) }.map { .address($0) }
  }

  public var credentials: Credentials {
    if let user, let passwordFile { return .password(user: user, file: passwordFile) }
    if let tokenFile { return .token(file: tokenFile) }
    if let queryKeyFile { return .queryKey(file: queryKeyFile) }
    return .none
  }

  /// The name of the section in the settings: "uplink.osmand".
  public var section: String { "uplink." + recipient.rawValue }

  mutating func declare(_ setting: SettingVisitor) {
    let kind = WebProtocols.named(recipient)
    setting.section(section, counts: UplinkSettings.moment, kind.doc)
    setting(
      "url", &url, Self.address, "Address, such as \"\(kind.example)\". Empty: no uploads.",
      isSecret: true)
    setting(
      "url_file", &urlFile, .file,
      "File with only the address, for an address that is secret, such as a webhook.")
    own.declare([kind], setting)
    setting(
      "user", &user, .optional(.text(bytes: 0...256), noneAt: ""),
      "User name for the receiver, with a password. Empty: none.")
    setting(
      "password_file", &passwordFile, .file, "File with only the password. Empty: none.")
    setting(
      "token_file", &tokenFile, .file,
      "File with only a bearer token, instead of user and password. Empty: none.")
    setting(
      "api_key_file", &queryKeyFile, .file,
      "File with only a key that is sent as api_key in the query. Empty: none.")
    tls.declare(setting, for: "receiver")
    setting.conflicts(conflicts)
  }

  private static let address = SettingKind<String?>.optional(
    .text(bytes: 0...WebAddress.longest) { text throws(SettingMismatch) in
      guard !text.isEmpty else { return }
      do throws(WebAddressError) {
        _ = try WebAddress(parsing: text)
      } catch {
        throw SettingMismatch(error.message)
      }
    }, noneAt: "")

  private var conflicts: [SettingConflict] {
    var conflicts: [SettingConflict] = []
    if (user == nil) != (passwordFile == nil) {
      conflicts.append(
        SettingConflict(
          user == nil ? "user" : "password_file",
          "is missing: a user and a password go together"))
    }
    if url != nil, urlFile != nil {
      conflicts.append(SettingConflict("url_file", "cannot be used beside url: choose one"))
    }
    let given = [
      ("password_file", passwordFile), ("token_file", tokenFile), ("api_key_file", queryKeyFile),
    ].filter { $0.1 != nil }
    if given.count > 1 {
      conflicts.append(
        SettingConflict(given[1].0, "cannot be used beside \(given[0].0): choose one"))
    }
    return conflicts
  }
}
