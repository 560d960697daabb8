import Core

/// How the other side of a secure connection is verified, and the board's own certificate: files in
/// PEM.
public struct TLSSettings: Hashable, Sendable {
  /// Nil: the system's authorities.
  public private(set) var authoritiesFile: String?
  /// The board's own; nil: none.
  public private(set) var certificateFile: String?
  public private(set) var keyFile: String?

  /// Settings in a section that other types have begun.
  ///
  /// - Parameter peer: the other side: "broker".
  mutating func declare(_ setting: SettingVisitor, for peer: String) {
    setting(
      "ca_file", &authoritiesFile, .file,
      "Certificate authorities for the \(peer), as PEM. Empty: those that the system trusts.")
    setting(
      "certificate_file", &certificateFile, .file,
      "Client certificate of the board, as PEM. Empty: none.")
    setting("key_file", &keyFile, .file, "Key of that certificate, as PEM, without a pass phrase.")
    setting.conflicts(conflicts)
  }

  private var conflicts: [SettingConflict] {
    guard (certificateFile == nil) != (keyFile == nil) else { return [] }
    return [
      SettingConflict(
        certificateFile == nil ? "certificate_file" : "key_file",
        "is missing: a certificate and its key go together")
    ]
  }
}

extension SettingKind where Value == String? {
  /// The path of a file; empty: none.
  static var file: Self { .optional(.text(bytes: 0...4095), noneAt: "") }
}
