/// Text of manual pages in mdoc (mdoc(7)).
public enum ManualText {
  /// No line of the page's source may be longer (mandoc's style).
  private static let width = 80

  /// The header of a manual page, down to its name and one-line description.
  /// - Parameter date: the date of the program's version: "May 1, 2026".
  public static func head(
    _ name: String, section: Int, _ description: String, date: String
  ) -> [String] {
    [
      ".Dd \(date)", ".Dt \(name.uppercased()) \(section)", ".Os", ".Sh NAME", ".Nm \(name)",
      ".Nd \(description)",
    ]
  }

  /// Text in mdoc form: every sentence begins on its own line, and nothing is read as a macro.
  public static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let startsSentence = word.first.map { $0.isUppercase || $0 == "\"" } ?? false
      // Escaping below adds at most two characters.
      let isFull = line.utf8.count + word.utf8.count + 3 > width
      if isFull || startsSentence && (line.last == "." || line.last == ":") {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? word : " \(word)"
    }
    return (lines + [line]).filter { !$0.isEmpty }.map { line in
      let escaped = line.replacing("\\", with: "\\e")
      return escaped.first == "." || escaped.first == "'" ? "\\&\(escaped)" : escaped
    }
  }
}
