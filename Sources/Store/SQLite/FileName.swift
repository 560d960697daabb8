/// The name by which SQLite opens an immutable file: no locks are taken, and no log is used.
public enum FileName {
  /// - Parameter path: may have any characters.
  /// - Returns: a name to be opened with SQLITE_OPEN_URI (sqlite.org/uri.html).
  public static func immutable(_ path: String) -> String { "file:\(escaped(path))?immutable=1" }

  /// Escapes the characters that end or encode a path.
  private static func escaped(_ path: String) -> String {
    // Two slashes would begin a host name.
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
