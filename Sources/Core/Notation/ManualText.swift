/// Text of manual pages in mdoc (mdoc(7)).
public enum ManualText {
  /// No line of the page's source may be longer (mandoc's style).
  private static let width = 80

  /// How every page begins, down to its name and what it is in a few words.
  /// - Parameter date: of the program's version: "May 1, 2026".
  public static func head(
    _ name: String, section: Int, _ description: String, date: String
  ) -> [String] {
    [
      ".Dd \(date)", ".Dt \(name.uppercased()) \(section)", ".Os", ".Sh NAME", ".Nm \(name)",
      ".Nd \(description)",
    ]
  }

  /// Text as mdoc wants it: every sentence begins a line of its own, nothing is taken for a macro.
  public static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let startsSentence = word.first.map { $0.isUppercase || $0 == "\"" } ?? false
      // What is escaped below takes two characters more.
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
