import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// What is at a path, from the first bytes of the file. It is not opened as a database: SQLite
/// would begin to repair it.
///
/// A path in the settings or on a command line may name anything, the store for instance. Only a
/// file that is certainly Godwit's radio map, table of cells or outbox, or one that is empty or
/// missing, is written, renamed or replaced.
public enum DatabaseKind: Equatable, Sendable {
  case absent, empty, learntMap, cellTable, uplink
  /// "it is a directory", "it is some other file": it is not changed.
  case other(String)

  /// The application ids in SQLite's header, which file(1) uses, too, made of letters: "GdwM",
  /// "GdwC" and "GdwU". They are written before anything else.
  static let learntMapID: Int64 = 0x4764_774D
  static let cellTableID: Int64 = 0x4764_7743
  public static let uplinkID: Int64 = 0x4764_7755

  /// sqlite.org/fileformat.html, 1.3: the name of the format at the beginning, the id at 68.
  private static let header = 100
  private static let format = Array("SQLite format 3\0".utf8)
  private static let idOffset = 68

  /// - Parameter followsLinks: only for reading: to write or replace a file, the target of a link
  ///   has to be given.
  init(path: String, followsLinks: Bool = false) {
    let sides = ["-wal", "-shm", "-journal"]
    if let side = sides.first(where: path.hasSuffix) {
      self = .other("a name that ends in \(side) belongs to a part of another database")
      return
    }
    guard let status = FileStatus(path: path, followsLinks: followsLinks) else {
      let error = SystemError.last
      self = error.code == ENOENT ? .absent : .other("it cannot be checked (\(error.text))")
      return
    }
    switch status.kind {
    case .regular:
      self = status.kernel.st_size == 0 ? .empty : Self.content(of: path, status.identity)
    case .directory: self = .other("it is a directory")
    case .symbolicLink: self = .other("it is a symbolic link; use the path that it points to")
    default: self = .other("it is a device, a pipe or a socket")
    }
  }

  private static func content(of path: String, _ identity: FileIdentity) -> DatabaseKind {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      return .other("it cannot be read (\(SystemError.last.text))")
    }
    defer { close(descriptor) }
    guard FileIdentity(descriptor: descriptor) == identity else {
      return .other("it is being replaced")
    }
    var bytes = [UInt8](repeating: 0, count: header)
    let count = read(descriptor, &bytes, header)
    guard count == header, bytes.starts(with: format) else {
      return .other("it is a file of another kind, or its beginning is damaged")
    }
    let id = bytes[idOffset..<idOffset + 4].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    switch id {
    case learntMapID: return .learntMap
    case cellTableID: return .cellTable
    case uplinkID: return .uplink
    default: return .other("it is another database")
    }
  }

  /// What would be lost if a database were written at this path: SQLite treats any file with the
  /// name of one of its logs as its own, and deletes it. Nil if there is nothing.
  static func intruder(beside path: String) -> String? {
    // fileformat.html, 3 and 4.1; a journal's magic is written last.
    let logs: [(suffix: String, magics: [[UInt8]])] = [
      ("-wal", [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]),
      ("-journal", [[0xD9, 0xD5, 0x05, 0xF9], [0, 0, 0, 0]]),
    ]
    for (suffix, magics) in logs {
      let name = path + suffix
      guard let status = FileStatus(path: name, followsLinks: false) else { continue }
      if status.kind == .regular, status.kernel.st_size == 0 { continue }
      var magic = [UInt8](repeating: 0, count: 4)
      let descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      // A program that had the database open may end just now, and delete its log.
      if descriptor < 0, errno == ENOENT { continue }
      defer { if descriptor >= 0 { close(descriptor) } }
      let count = read(descriptor, &magic, 4)
      if status.kind == .regular, count == 0 { continue }
      guard status.kind == .regular, count == 4, magics.contains(magic)
      else { return "\(name) beside it is not a log of SQLite" }
    }
    return nil
  }

  /// What it is instead of the wanted kind; nil if it can be used.
  func objection(to use: DatabaseKind) -> String? {
    switch self {
    case .absent, .empty: nil
    case .other(let text): text
    case .learntMap: use == self ? nil : "it is a radio map that this device has learnt"
    case .cellTable: use == self ? nil : "it is a table of imported cells"
    case .uplink: use == self ? nil : "it is the outbox of an uplink"
    }
  }
}
