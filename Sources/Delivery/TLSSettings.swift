import Core

/// By which the other side of a secure connection is known, and the board to it: files in PEM.
public struct TLSSettings: Hashable, Sendable {
  /// Nil: whom the system trusts.
  public private(set) var authoritiesFile: String?
  /// The board's own; nil: it has none.
  public private(set) var certificateFile: String?
  public private(set) var keyFile: String?

  /// Settings of a section that others have begun.
  ///
  /// - Parameter peer: who the other side is: "broker".
  mutating func declare(_ setting: SettingVisitor, for peer: String) {
    setting(
      "ca_file", &authoritiesFile, .file,
      "Who may vouch for the \(peer), as PEM. Empty: whom the system trusts.")
    setting(
      "certificate_file", &certificateFile, .file,
      "The board's own certificate, as PEM. Empty: none.")
    setting("key_file", &keyFile, .file, "Its key, as PEM, without a pass phrase.")
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
