import Glibc

/// Who may use a file that the kernel did not let this user use, and how to become one of them.
public enum FileAccess {
  public enum Use: Sendable {
    case reading, writing
    /// A folder, to reach what is in it.
    case entering

    /// One class's bits of a file's mode (inode(7)).
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

  /// Why this user may not do that: names the group or the user that may, for the file itself or
  /// for the folder that is in the way, and how to become one of them. Nil: permissions allow it.
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
        ? "nobody \(may): give \(who) access to it with chmod"
        : "only the user \(owner) \(may): use sudo -u \(owner)"
    }
    return caller.isListed(group)
      ? "only the group \(group) \(may); \(who) has joined it since this login: log in again"
      : "only the group \(group) \(may): sudo usermod -aG \(group) \(who), then log in again"
  }
}

/// Who this process is to the kernel when it opens files (credentials(7)).
struct Caller {
  let user: uid_t
  let groups: Set<gid_t>
  let name: String
  /// Whether the system's list of groups has this user in that one, whatever this login has.
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

  /// As inode(7) has it: the first class that applies decides, and root may do anything.
  func may(_ use: FileAccess.Use, _ status: FileStatus) -> Bool {
    guard user != 0 else { return true }
    let mode = status.kernel.st_mode
    let shift: mode_t =
      user == status.kernel.st_uid ? 6 : groups.contains(status.kernel.st_gid) ? 3 : 0
    return (mode >> shift) & use.bits == use.bits
  }
}

/// The file, or the folder on its way, that keeps a user from it.
private struct Obstacle {
  let path: String
  let use: FileAccess.Use
  let status: FileStatus
  /// The group that may, for those who are not in it; nil when none but root's may.
  let group: String?

  init?(_ path: String, _ use: FileAccess.Use, _ caller: Caller) {
    var path = path
    var use = use
    var found = FileStatus(path: path)
    if let file = found, file.kind == .regular, caller.may(use, file) {
      // What SQLite keeps beside a store has to be made.
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
  /// Its group, if these bits of a class are that group's; nil for root's.
  func group(with bits: mode_t) -> String? {
    guard (kernel.st_mode >> 3) & bits == bits, kernel.st_gid != 0 else { return nil }
    return getgrgid(kernel.st_gid).map { String(cString: $0.pointee.gr_name) }
  }
}
