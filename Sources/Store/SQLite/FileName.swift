/// How SQLite is told of a file that nobody changes: no locks are taken, and no log is looked for.
public enum FileName {
  /// - Parameter path: may have any characters.
  /// - Returns: to be opened with SQLITE_OPEN_URI (sqlite.org/uri.html).
  public static func immutable(_ path: String) -> String { "file:\(escaped(path))?immutable=1" }

  /// Without the characters that end or encode a path.
  private static func escaped(_ path: String) -> String {
    // Two slashes would begin the name of a machine.
    let slashes = path.prefix { $0 == "/" }.count
    return path.dropFirst(max(0, slashes - 1)).reduce(into: "") { text, character in
      switch character {
      case "%": text += "%25"
      case "?": text += "%3f"
      case "#": text += "%23"
      default: text.append(character)
      }
    }
  }
}
