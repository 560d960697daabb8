import Glibc

/// A folder that a command writes into.
enum OutputFolder {
  /// Creates it unless it exists; its parent must exist.
  static func make(_ path: String) throws(FileFailure) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw FileFailure("make the folder", path, code: errno)
    }
  }
}
