#if canImport(Glibc)
  import Glibc
#endif

/// What the kernel says of a file (stat(2)).
struct FileStatus {
  let kernel: stat

  /// Links are followed. Nil when the file cannot be looked at; `errno` says why.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    kernel = status
  }

  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    kernel = status
  }

  /// Whether it is neither a folder nor a device, a pipe or a socket: opening those may wait for
  /// ever, or do something.
  var isOrdinary: Bool { kernel.st_mode & S_IFMT == S_IFREG }
}
