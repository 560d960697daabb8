import Glibc

/// A folder that a command writes into.
enum OutputFolder {
  /// Makes it unless it is there; the one that it is to lie in has to be.
  static func make(_ path: String) throws(FileFailure) {
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw FileFailure("make the folder", path, code: errno)
    }
  }
}
