import Glibc

/// A file that appears whole or not at all: written under another name beside its place, brought to
/// the disk, and renamed. What was there before stays until then.
final class AtomicFile {
  private let path: String
  private var temporary: [CChar]
  private var descriptor: Int32

  init(path: String) throws(FileFailure) {
    self.path = path
    temporary = Array((path + ".XXXXXX").utf8CString)
    descriptor = mkstemp(&temporary)
    guard descriptor >= 0 else { throw FileFailure("write", path, code: errno) }
  }

  deinit {
    guard descriptor >= 0 else { return }
    Glibc.close(descriptor)
    unlink(temporary)
  }

  func write(_ bytes: [UInt8]) throws(FileFailure) {
    try OutputBytes.write(bytes, to: descriptor, name: path)
  }

  func commit() throws(FileFailure) {
    // mkstemp allows the owner alone; an export is a file like any other.
    let mask = umask(0)
    umask(mask)
    guard fchmod(descriptor, 0o666 & ~mask) == 0, fsync(descriptor) == 0,
      rename(temporary, path) == 0
    else { throw FileFailure("write", path, code: errno) }
    Glibc.close(descriptor)
    descriptor = -1
  }
}
