import Core

/// Quotes message text in errors: short, in quotes, and safe for a terminal.
enum Quoted {
  private static let limit = 60

  static func text(_ text: String) -> String {
    let start = text.unicodeScalars.prefix(limit)
    let isCut = start.endIndex != text.unicodeScalars.endIndex
    return "\"\(TerminalText.line(String(start)))\(isCut ? "…" : "")\""
  }
}
