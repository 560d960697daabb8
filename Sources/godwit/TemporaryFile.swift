import Glibc

/// A file that is being made under a hidden name beside its place, `.NAME.XXXXXX`, and gets its own
/// name when it is whole: what stood there before stays until then. Given up, or interrupted by a
/// signal, it vanishes. After SIGKILL or a loss of power the hidden file is left; it is in nobody's
/// way and may be removed.
final class TemporaryFile {
  /// A name may have 255 bytes (NAME_MAX); the suffixes need room.
  private static let longestName = 200

  let path: String
  private let target: String
  private let suffixes: [String]
  private var descriptor: Int32 = -1
  private var isThere = true

  /// - Parameters:
  ///   - mode: the permissions, less those that umask(2) takes.
  ///   - companions: what is added to the hidden name for files that come and go with it.
  init(
    for target: String, mode: mode_t = 0o666, companions: [String] = []
  ) throws(FileFailure) {
    let parts = target.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let folder = parts.dropLast().map { String(decoding: $0, as: UTF8.self) + "/" }.joined()
    let name = String(
      decoding: target.utf8.suffix(parts.last?.count ?? 0).prefix(Self.longestName), as: UTF8.self)
    var template = Array("\(folder).\(name).XXXXXX".utf8CString)
    var opened: Int32 = -1
    let suffixes = [""] + companions
    try UnfinishedFiles.add { () throws(FileFailure) in
      opened = mkstemp(&template)
      guard opened >= 0 else {
        let code = errno
        let advice = code == ENOENT ? "its folder has to exist" : nil
        throw FileFailure("write", target, code: code, advice: advice)
      }
      let made = Self.text(template)
      return suffixes.map { made + $0 }
    }
    path = Self.text(template)
    descriptor = opened
    self.target = target
    self.suffixes = suffixes
    // mkstemp allows the owner alone; what a command writes is a file like any other.
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, mode & ~mask)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for suffix in suffixes {
      if isThere { unlink(path + suffix) }
      UnfinishedFiles.remove(path + suffix)
    }
  }

  /// The file, open for reading and writing; whoever takes it closes it.
  func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Takes the place of what has the name now.
  func replace() throws(FileFailure) {
    guard rename(path, target) == 0 else { throw FileFailure("write", target, code: errno) }
    isThere = false
  }

  /// Takes the name if nobody has it: link(2) never replaces.
  func appear() throws(FileFailure) {
    if link(path, target) == 0 {
      unlink(path)
    } else if [EPERM, ENOTSUP, ENOSYS].contains(errno), access(target, F_OK) != 0 {
      // A file system without hard links, such as FAT.
      try replace()
    } else {
      let code = errno
      let advice = code == EEXIST ? "it has appeared in the meantime; name another file" : nil
      throw FileFailure("write", target, code: code, advice: advice)
    }
    isThere = false
  }

  private static func text(_ name: [CChar]) -> String {
    name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
}
