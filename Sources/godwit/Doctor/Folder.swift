/// Names of folders.
enum Folder {
  /// The folder that a file is or would be in.
  static func containing(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
