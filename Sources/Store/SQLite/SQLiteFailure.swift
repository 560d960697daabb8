import CSQLite
import Core
import Platform

/// SQLite's last failure on a connection.
struct SQLiteFailure {
  /// The extended code (sqlite.org/rescode.html).
  let code: Int32
  /// Of the operating system; 0: none.
  let systemCode: Int32
  /// In one line that is safe for a terminal: it may contain names and texts from the file.
  let text: String

  private static let mostCharacters = 300

  init(_ handle: OpaquePointer) {
    code = sqlite3_extended_errcode(handle)
    systemCode = sqlite3_system_errno(handle)
    let message = Self.displayed(String(cString: sqlite3_errmsg(handle)))
    let system = systemCode == 0 ? "" : ", \(SystemError(code: systemCode).text)"
    text = "SQLite reports \(message)\(system), code \(code)"
  }

  /// Text from a file, made safe for a message.
  static func displayed(_ text: String) -> String {
    TerminalText.line(String(text.prefix(mostCharacters)))
  }
}
