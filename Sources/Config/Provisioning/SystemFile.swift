/// What is to be at a place of a system.
public struct SystemFile: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case file([UInt8], mode: UInt32)
    /// A symbolic link to that path.
    case link(String)
    /// Nothing: a file of that name was made by an earlier boot file.
    case nothing
    /// No link; anything else is not ours.
    case noLink
  }

  /// Below the system's root, without a slash at its beginning.
  public let path: String
  public let content: Content

  init(_ path: String, _ content: Content) {
    self.path = path
    self.content = content
  }

  /// A file that everybody may read.
  init(_ path: String, text: String) {
    self.init(path, .file(Array(text.utf8), mode: 0o644))
  }
}
