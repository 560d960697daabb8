import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A file that is being made under a hidden name beside its place, `.NAME.XXXXXX`, and gets its own
/// name when it is whole: what stood there before stays until then. Given up, or interrupted by a
/// signal, it vanishes. After SIGKILL or a loss of power the hidden file is left; it is in nobody's
/// way and may be removed.
public final class TemporaryFile {
  /// A name may have 255 bytes (NAME_MAX); the suffixes need room.
  private static let maxNameLength = 200
  private static let attempts = 100

  public let path: String
  private let target: String
  private let names: [String]
  private var descriptor: Int32
  private var isThere = true

  /// - Parameters:
  ///   - target: its place, which is not followed if it is a link.
  ///   - mode: the permissions, less those that umask(2) takes; its owner may read and write it in
  ///     any case.
  ///   - companions: what is added to the hidden name for files that come and go with it.
  public init(
    for target: String, mode: mode_t = 0o666, companions: [String] = []
  ) throws(SystemError) {
    let place = PathParts(target)
    let name = String(decoding: place.name.utf8.prefix(Self.maxNameLength), as: UTF8.self)
    var opened: (path: String, descriptor: Int32)?
    var names: [String] = []
    try UnfinishedFiles.add { () throws(SystemError) in
      let made = try Self.make(mode) {
        PathParts(folder: place.folder, name: ".\(name).\($0)").path
      }
      opened = made
      names = ([""] + companions).map { made.path + $0 }
      return names
    }
    guard let opened else { throw SystemError(code: EEXIST) }
    (path, descriptor) = opened
    self.target = target
    self.names = names
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for name in names {
      if isThere { unlink(name) }
      UnfinishedFiles.remove(name)
    }
  }

  /// mkstemp(3) would allow the owner alone; here the kernel applies the umask, or the folder's
  /// access list in its stead.
  private static func make(
    _ mode: mode_t, named: (String) -> String
  ) throws(SystemError) -> (path: String, descriptor: Int32) {
    for _ in 0..<attempts {
      let name = named(String((0..<6).map { _ in letters.randomElement() ?? "x" }))
      let descriptor = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode | 0o600)
      if descriptor >= 0 { return (name, descriptor) }
      guard errno == EEXIST else { break }
    }
    throw SystemError.last
  }

  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  /// The file, open for reading and writing; whoever takes it closes it.
  public func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Takes the place of what has the name now.
  public func replace() throws(SystemError) {
    guard rename(path, target) == 0 else { throw SystemError.last }
    isThere = false
  }

  /// Takes the name if nobody has it: link(2) never replaces.
  public func appear() throws(SystemError) {
    guard link(path, target) != 0 else {
      unlink(path)
      isThere = false
      return
    }
    let code = errno
    // A file system without hard links, such as FAT.
    guard [EPERM, ENOTSUP, ENOSYS].contains(code) else { throw SystemError(code: code) }
    guard access(target, F_OK) != 0 else { throw SystemError(code: EEXIST) }
    try replace()
  }

  /// Somebody else has given it its name.
  func hasMoved() { isThere = false }
}
