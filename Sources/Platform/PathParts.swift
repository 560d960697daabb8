/// A path as the folder and the name in it. Bytes are compared, not characters: Swift combines a
/// slash with an accent after it.
public struct PathParts: Sendable {
  /// "." for a bare name.
  public let folder: String
  public let name: String

  public init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      folder = "."
      name = path
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }

  public init(folder: String, name: String) {
    self.folder = folder
    self.name = name
  }

  public var path: String { (folder == "/" ? "" : folder) + "/" + name }
}
