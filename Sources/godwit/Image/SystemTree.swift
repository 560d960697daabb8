import Glibc
import Platform
import Config
import Store

/// A system as files below its root: its facts, and its changes.
struct SystemTree {
  /// Empty for the running system.
  let root: String

  private static let zones = "/usr/share/zoneinfo"
  private static let maxZones = 1 << 20
  private static let maxHosts = 1 << 16
  private static let documents = ["/usr/share/doc/godwit", "/usr/local/share/doc/godwit"]

  /// - Parameter path: an absolute or relative path of a folder.
  init(_ path: String) {
    var root = path
    while root.hasSuffix("/") { root.removeLast() }
    self.root = root
  }

  var facts: SystemFacts {
    var facts = SystemFacts()
    facts.hosts = (try? SystemFiles.bytes(of: "\(root)/etc/hosts", atMost: Self.maxHosts))
      .map { String(decoding: $0, as: UTF8.self) }
    facts.timeZones = timeZones
    facts.connections = SystemFiles.names(in: "\(root)/etc/NetworkManager/system-connections")
    facts.examples = Self.documents.map { "\($0)/examples" }
      .first { isThere("\($0)/godwit.service.d/closed.conf") }
    return facts
  }

  private func isThere(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

  /// The names in tzdata's list: "Z Europe/Berlin ..." and, for links, "L Etc/UTC Zulu" (zic(8)).
  /// Not all of those are installed.
  private var timeZones: Set<String>? {
    guard
      let bytes = try? SystemFiles.bytes(
        of: "\(root)\(Self.zones)/tzdata.zi", atMost: Self.maxZones)
    else { return nil }
    var zones: Set<String> = []
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      let name: Substring? =
        switch words.first {
        case "Z" where words.count > 1: words[1]
        case "L" where words.count > 2: words[2]
        default: nil
        }
      if let name, isThere("\(Self.zones)/\(name)") { zones.insert(String(name)) }
    }
    return zones
  }
}

extension SystemTree {
  /// Installs the file atomically and durably; an identical file is left alone.
  ///
  /// - Returns: whether anything was changed.
  func put(_ file: SystemFile) throws(FileFailure) -> Bool {
    let path = "\(root)/\(file.path)"
    do throws(SystemError) {
      switch file.content {
      case .file(let bytes, let mode): return try Self.put(bytes, mode: mode, at: path)
      case .link(let target): return try Self.link(path, to: target)
      case .nothing:
        guard FileStatus(path: path, followsLinks: false) != nil else { return false }
        return try Self.remove(path)
      case .noLink:
        guard SystemFiles.target(ofLink: path) != nil else { return false }
        return try Self.remove(path)
      }
    } catch {
      throw FileFailure("write", path, code: error.code)
    }
  }

  static func put(_ bytes: [UInt8], mode: mode_t, at path: String) throws(SystemError) -> Bool {
    // A link is replaced: its target is not ours, and may be outside the tree.
    if let status = FileStatus(path: path, followsLinks: false), status.kind == .regular,
      status.kernel.st_mode & 0o7777 == mode,
      let old = try? SystemFiles.bytes(of: path, atMost: bytes.count + 1), old == bytes
    {
      return false
    }
    try makeFolder(PathParts(path).folder)
    let temporary = try TemporaryFile(for: path, mode: mode)
    let descriptor = temporary.takeDescriptor()
    defer { close(descriptor) }
    do throws(FileFailure) {
      try OutputBytes.write(bytes, to: descriptor, name: path)
    } catch {
      throw SystemError.last
    }
    // FAT has no permissions; fchmod(2) refuses what the mount options do not allow (EPERM).
    guard fchmod(descriptor, mode) == 0 || errno == EPERM, fsync(descriptor) == 0 else {
      throw SystemError.last
    }
    try temporary.replace()
    try sync(path)
    return true
  }

  private static func link(_ path: String, to target: String) throws(SystemError) -> Bool {
    guard SystemFiles.target(ofLink: path) != target else { return false }
    let place = PathParts(path)
    try makeFolder(place.folder)
    let temporary = PathParts(folder: place.folder, name: ".\(place.name).new").path
    unlink(temporary)
    guard symlink(target, temporary) == 0 else { throw SystemError.last }
    guard rename(temporary, path) == 0 else {
      let failure = SystemError.last
      unlink(temporary)
      throw failure
    }
    try sync(path)
    return true
  }

  private static func remove(_ path: String) throws(SystemError) -> Bool {
    guard unlink(path) == 0 else { throw SystemError.last }
    try sync(path)
    return true
  }

  private static func sync(_ path: String) throws(SystemError) {
    if let failure = FileSystem.sync(folder: PathParts(path).folder) { throw failure }
  }

  /// Creates missing parents too, readable for everybody regardless of umask(2).
  private static func makeFolder(_ path: String) throws(SystemError) {
    guard FileStatus(path: path)?.kind != .directory else { return }
    let parent = PathParts(path).folder
    if parent != path { try makeFolder(parent) }
    guard mkdir(path, 0o755) == 0 else {
      guard errno == EEXIST else { throw SystemError.last }
      return
    }
    guard chmod(path, 0o755) == 0 || errno == EPERM else { throw SystemError.last }
  }
}
