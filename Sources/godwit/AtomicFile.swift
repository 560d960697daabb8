import Glibc

/// A file that appears whole or not at all: written under another name beside its place, brought to
/// the disk, and renamed. What was there before stays until then. A link is followed, and what is
/// no file (a terminal, a pipe, /dev/stdout) is written to as it is, never replaced by a file.
final class AtomicFile {
  private let path: String
  private let target: String
  private var temporary: [CChar]?
  private var descriptor: Int32

  init(path: String) throws(FileFailure) {
    self.path = path
    target = Self.withoutLinks(path)
    var status = stat()
    if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      descriptor = open(target, O_WRONLY | O_CLOEXEC)
    } else {
      var name = Array((target + ".XXXXXX").utf8CString)
      descriptor = mkstemp(&name)
      temporary = name
    }
    guard descriptor >= 0 else {
      let code = errno
      let advice = code == ENOENT ? "its folder has to exist" : nil
      throw FileFailure("write", path, code: code, advice: advice)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    if let temporary { unlink(temporary) }
  }

  /// Where the path leads in the end; as it is when nothing is there yet.
  private static func withoutLinks(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try OutputBytes.write(bytes, to: descriptor, name: path)
  }

  func commit() throws(FileFailure) {
    guard let temporary else { return }
    // mkstemp allows the owner alone; an export is a file like any other.
    let mask = umask(0)
    umask(mask)
    guard fchmod(descriptor, 0o666 & ~mask) == 0, fsync(descriptor) == 0,
      rename(temporary, target) == 0
    else { throw FileFailure("write", path, code: errno) }
    Glibc.close(descriptor)
    descriptor = -1
  }
}
