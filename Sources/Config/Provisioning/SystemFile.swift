/// The desired state of a path of the system.
public struct SystemFile: Equatable, Sendable {
  public enum Content: Equatable, Sendable {
    case file([UInt8], mode: UInt32)
    /// A symbolic link to that path.
    case link(String)
    /// No file: one with this name was made from an earlier boot file.
    case nothing
    /// No link; anything else at the path is left alone.
    case noLink
  }

  /// Relative to the system's root, without a leading slash.
  public let path: String
  public let content: Content

  init(_ path: String, _ content: Content) {
    self.path = path
    self.content = content
  }

  /// A file that all users can read.
  init(_ path: String, text: String) {
    self.init(path, .file(Array(text.utf8), mode: 0o644))
  }
}
