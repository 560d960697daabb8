#if canImport(Glibc)
  import Glibc
#endif

/// Which file it is, whatever its name.
struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64

  init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }

  /// Nil when there is no such file.
  init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self.init(status.kernel)
  }

  init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor) else { return nil }
    self.init(status.kernel)
  }

  // The bits of a device number (makedev(3)), which Swift does not import.
  var major: UInt32 { UInt32(truncatingIfNeeded: (device >> 8) & 0xfff | (device >> 32) & ~0xfff) }
  var minor: UInt32 { UInt32(truncatingIfNeeded: device & 0xff | (device >> 12) & ~0xff) }
}
