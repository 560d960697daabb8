import Glibc

/// The permissions of a file that this user may not use, and how to obtain them.
public enum FileAccess {
  public enum Use: Sendable {
    case reading, writing
    /// A folder, to access its content.
    case entering

    /// The bits of one class in a file's mode (inode(7)).
    var bits: mode_t {
      switch self {
      case .reading: 0o4
      case .writing: 0o6
      case .entering: 0o1
      }
    }

    fileprivate var verb: String {
      switch self {
      case .reading: "read"
      case .writing: "write to"
      case .entering: "enter"
      }
    }
  }

  /// Why access is denied: the group or the user with access to the file, or to the blocking
  /// folder, and how this user gets it. Nil: permissions allow it.
  public static func denial(of use: Use, to path: String) -> String? {
    denial(of: use, to: path, for: Caller.current)
  }

  static func denial(of use: Use, to path: String, for caller: Caller) -> String? {
    guard let obstacle = Obstacle(path, use, caller) else { return nil }
    let who = caller.name
    let may = "may \(obstacle.use.verb) \(obstacle.path)"
    guard let group = obstacle.group else {
      let owner = getpwuid(obstacle.status.kernel.st_uid)
        .map { String(cString: $0.pointee.pw_name) }
      guard let owner, owner != "root" else { return "only root \(may): use sudo" }
      return owner == who
        ? "nobody \(may): grant \(who) access to it with chmod"
        : "only the user \(owner) \(may): use sudo -u \(owner)"
    }
    return caller.isListed(group)
      ? "only the group \(group) \(may); \(who) has joined it since this login: log in again"
      : "only the group \(group) \(may): sudo usermod -aG \(group) \(who), then log in again"
  }
}

/// The credentials of this process for opening files (credentials(7)).
struct Caller {
  let user: uid_t
  let groups: Set<gid_t>
  let name: String
  /// Whether the group database lists this user in a group, even if this login does not have it
  /// yet.
  let isListed: (_ group: String) -> Bool

  static var current: Caller {
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = getgroups(Int32(groups.count), &groups)
    let name = getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) }
    return Caller(
      user: geteuid(), groups: Set(groups.prefix(Int(max(0, count))) + [getegid()]),
      name: name ?? "user \(geteuid())", isListed: { isListed(name, in: $0) })
  }

  private static func isListed(_ name: String?, in group: String) -> Bool {
    guard let name, var member = getgrnam(group)?.pointee.gr_mem else { return false }
    while let listed = member.pointee {
      if String(cString: listed) == name { return true }
      member += 1
    }
    return false
  }

  /// The rules of inode(7): the first matching class decides, and root is always allowed.
  func may(_ use: FileAccess.Use, _ status: FileStatus) -> Bool {
    guard user != 0 else { return true }
    let mode = status.kernel.st_mode
    let shift: mode_t =
      user == status.kernel.st_uid ? 6 : groups.contains(status.kernel.st_gid) ? 3 : 0
    return (mode >> shift) & use.bits == use.bits
  }
}

/// The file, or the folder in its path, that denies access.
private struct Obstacle {
  let path: String
  let use: FileAccess.Use
  let status: FileStatus
  /// The group with access, for users outside of it; nil if only root's group has access.
  let group: String?

  init?(_ path: String, _ use: FileAccess.Use, _ caller: Caller) {
    var path = path
    var use = use
    var found = FileStatus(path: path)
    if let file = found, file.kind == .regular, caller.may(use, file) {
      // SQLite has to create files beside the store.
      use = .writing
      path = PathParts(path).folder
      found = FileStatus(path: path)
    } else if found == nil {
      use = SystemError.last.code == ENOENT ? .writing : .entering
      path = PathParts(path).folder
      found = FileStatus(path: path)
    }
    while found == nil, SystemError.last.code == EACCES, path != "/" {
      use = .entering
      path = PathParts(path).folder
      found = FileStatus(path: path)
    }
    guard let status = found, !caller.may(use, status) else { return nil }
    self.path = path
    self.use = use
    self.status = status
    let isMember = caller.groups.contains(status.kernel.st_gid)
    group = isMember ? nil : status.group(with: use.bits)
  }
}

extension FileStatus {
  /// The file's group if it has these permissions; nil for root's group.
  func group(with bits: mode_t) -> String? {
    guard (kernel.st_mode >> 3) & bits == bits, kernel.st_gid != 0 else { return nil }
    return getgrgid(kernel.st_gid).map { String(cString: $0.pointee.gr_name) }
  }
}
