import Glibc

/// The kernel's information about a file (stat(2)).
public struct FileStatus {
  public enum Kind: Equatable, Sendable {
    case regular, directory, symbolicLink, pipe, socket, characterDevice, blockDevice
  }

  public let kernel: stat

  /// Nil if the status is not available; `SystemError.last` has the cause.
  ///
  /// - Parameter followsLinks: whether a link is followed; otherwise the status is that of the
  ///   link.
  public init?(path: String, followsLinks: Bool = true) {
    var status = stat()
    guard (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    kernel = status
  }

  /// Nil if the status is not available; `SystemError.last` has the cause.
  public init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    kernel = status
  }

  public var kind: Kind {
    switch kernel.st_mode & S_IFMT {
    case S_IFDIR: .directory
    case S_IFLNK: .symbolicLink
    case S_IFIFO: .pipe
    case S_IFSOCK: .socket
    case S_IFCHR: .characterDevice
    case S_IFBLK: .blockDevice
    default: .regular
    }
  }

  public var identity: FileIdentity {
    FileIdentity(device: UInt64(kernel.st_dev), inode: UInt64(kernel.st_ino))
  }

  /// The device number of a device file.
  public var device: DeviceNumber { DeviceNumber(UInt64(kernel.st_rdev)) }
}

/// Identifies a file independent of its name.
public struct FileIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64

  public init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }

  /// Nil if there is no such file.
  public init?(path: String) {
    guard let status = FileStatus(path: path) else { return nil }
    self = status.identity
  }

  public init?(descriptor: Int32) {
    guard let status = FileStatus(descriptor: descriptor) else { return nil }
    self = status.identity
  }
}

/// The number of a device. glibc packs it into one integer (makedev(3)) by macros that Swift does
/// not import.
public struct DeviceNumber: Hashable, Sendable, CustomStringConvertible {
  public let major: UInt32
  public let minor: UInt32

  public init(major: UInt32, minor: UInt32) {
    self.major = major
    self.minor = minor
  }

  public init(_ packed: UInt64) {
    major = UInt32(truncatingIfNeeded: packed >> 8 & 0xfff | packed >> 32 & ~0xfff)
    minor = UInt32(truncatingIfNeeded: packed & 0xff | packed >> 12 & ~0xff)
  }

  /// In the form of sysfs folder names: "509:0".
  public var description: String { "\(major):\(minor)" }
}

/// The file system of a file or folder.
public enum FileSystem {
  /// Flushes the names in a folder to the disk, so that they survive a power cut (fsync(2)).
  /// - Returns: the error; nil on success, or if the file system does not support it (EINVAL).
  public static func sync(folder: String) -> SystemError? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return SystemError.last }
    defer { close(descriptor) }
    return fsync(descriptor) == 0 || errno == EINVAL ? nil : SystemError.last
  }

  /// The free bytes that are available to this process on the file system of this file or folder;
  /// nil if unknown, with the cause in `errno`.
  public static func freeBytes(at path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
  }

  /// Whether a folder's file system rejects writes: it is mounted read-only, or was shut down after
  /// an error (errors=remount-ro, ext4(5)). Since Linux 6.12 statvfs(2) does not report the latter,
  /// so that an unnamed file is created as a test (O_TMPFILE, open(2)).
  public static func refusesWrites(in folder: String) -> Bool {
    // O_TMPFILE, which Glibc does not export to Swift: __O_TMPFILE of asm-generic/fcntl.h and
    // O_DIRECTORY.
    let nameless = 0o20_000_000 | O_DIRECTORY
    let descriptor = open(folder, nameless | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return [EROFS, EIO, EUCLEAN].contains(errno)
  }
}
