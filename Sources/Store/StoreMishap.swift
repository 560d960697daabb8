/// What may happen to a store while it is open.
enum StoreMishap: Equatable, Sendable {
  case deleted
  /// It is gone, and another file has its name.
  case replaced
  /// It has another name now; nil when the kernel does not tell which.
  case moved(to: String?)
  /// The log beside it, or the log's index, was deleted or replaced.
  case lostLog
  /// The log is shorter than its index says: records in it are gone, and what is left of it would
  /// spoil the main file.
  case cutLog
  /// It is shorter than it says it is.
  case truncated
  /// Something other than SQLite has written to it.
  case overwritten

  /// Whether the file that is open is still what SQLite left, so that its log belongs into it.
  var leavesFileIntact: Bool {
    switch self {
    case .moved, .lostLog: true
    case .deleted, .replaced, .cutLog, .truncated, .overwritten: false
    }
  }

  /// What happened, and what comes of it.
  func message(_ path: String) -> String {
    switch self {
    case .deleted:
      "the store \(path) was deleted while it was in use; what it held is gone, what comes goes "
        + "into the file of that name"
    case .replaced:
      "another file was put in the place of the store \(path) while it was in use; what it held is "
        + "gone, what comes goes into the new one"
    case .moved(let name):
      "the store \(path) was moved\(name.map { " to \($0)" } ?? "") while it was in use; what was "
        + "stored is there, what comes goes into the file of the old name"
    case .lostLog:
      "the log of the store \(path), or its index, was deleted or replaced while it was in use; "
        + "what it held is in the store now"
    case .cutLog:
      "the log of the store \(path) was truncated while it was in use; the newest records, which "
        + "were in it, are gone, what was in the store before is there"
    case .truncated:
      "the store \(path) was truncated while it was in use; what it held is gone, what comes goes "
        + "into the file of that name"
    case .overwritten:
      "the store \(path) was written over by something other than SQLite while it was in use; "
        + "what it held is gone, what comes goes into what is there now, if that is a store"
    }
  }
}
