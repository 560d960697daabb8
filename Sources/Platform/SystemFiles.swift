import Glibc

/// Small files, folders and links, such as those of /proc, /sys and /dev.
public enum SystemFiles {
  /// More than any folder of devices, boards or processes contains: bounds a search.
  private static let maxNames = 65_536

  /// The beginning of a file, read anew at each call. A pipe or a terminal with that name does not
  /// block the caller.
  public static func bytes(of path: String, atMost limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemError.last }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var failure: Int32 = 0
    var isAtEnd = false
    while bytes.count < limit, !isAtEnd, failure == 0 || failure == EINTR {
      let room = min(4096, limit - bytes.count)
      bytes += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        let got = read(descriptor, buffer.baseAddress, room)
        count = max(got, 0)
        failure = got < 0 ? errno : 0
        isAtEnd = got == 0
      }
    }
    guard failure == 0 || failure == EINTR else { throw SystemError(code: failure) }
    return bytes
  }

  /// Writes a short text in one call, as kernel attributes require. Does not create a file.
  public static func write(_ text: String, to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemError.last }
    defer { close(descriptor) }
    let bytes = Array(text.utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError.last }
  }

  /// Closes a file that is locked with flock(2). The lock belongs to the open file description,
  /// which a child shares between fork(2) and exec(2): closing alone would keep the lock until
  /// then.
  public static func closeLocked(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The file's first line without its end, limited to 255 bytes; nil if the file cannot be read or
  /// the line is empty.
  public static func firstLine(of path: String) -> String? {
    guard let bytes = try? bytes(of: path, atMost: 255) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != 0 }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// The names in a folder, without "." and "..", in the kernel's order; empty if it cannot be
  /// read.
  public static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while names.count < maxNames, let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Whether this user may read a folder or file; `SystemError.last` has the cause if not.
  public static func canBeRead(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The target of a symbolic link; nil if it is no link.
  public static func target(ofLink path: String) -> String? {
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      let length = buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { readlink(path, $0, text.count) } ?? -1
      }
      count = max(length, 0)
    }
    return target.isEmpty ? nil : String(decoding: target, as: UTF8.self)
  }

  /// The absolute path without links; nil if it does not exist.
  public static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// A path split into folder and name. Bytes are compared and not characters, because Swift combines
/// a slash with a following accent.
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
