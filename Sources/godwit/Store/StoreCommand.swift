import ArgumentParser
import Core
import Ports
import Store

#if canImport(Glibc)
  import Glibc
#endif

/// `godwit store`: maintenance of the store's file.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check, repair, compact, back up and restore the store.",
    discussion: """
      'check' and 'backup' work while the daemon runs; for the others, stop the daemon first. \
      The only copy is never overwritten: a replaced file is kept under a new name.
      """,
    subcommands: [
      StoreCheckCommand.self, StoreRepairCommand.self, StoreCompactCommand.self,
      StoreBackupCommand.self, StoreRestoreCommand.self,
    ])

  /// Runs a body that may fail with a store error, and reports that in one line.
  fileprivate static func run<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as PortError {
      throw CommandError.failed(error.message)
    }
  }

  /// Reports the problems of a copy that was made nevertheless.
  fileprivate static func report(_ copy: StoreBackup.Copy, of source: String) {
    if let warning = copy.warning { warn(warning) }
    guard let first = copy.check.problems.first else { return }
    let count = copy.check.problemCount
    let text = TerminalText.line(first.text)
    let others = count > 1 ? " (the first of \(count))" : ""
    warn(
      "\(source) failed its integrity check, and so did its copy: \(text)\(others); see "
        + "`godwit store check --store \(source)`")
  }

  /// The number of readable rows of each table.
  fileprivate static func rows(_ check: StoreCheck) -> String {
    let rows = check.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.table)" }
    return rows.isEmpty ? "none" : rows.joined(separator: ", ")
  }

  fileprivate static func warn(_ text: String) {
    var messages = StandardError()
    print("godwit: \(text)", to: &messages)
  }

  fileprivate static func size(_ bytes: Int) -> String { "\((bytes + 999) / 1000) kB" }
}

struct StoreCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the integrity of the store and that every row can be read.",
    discussion: """
      Reads everything and changes nothing; works while the daemon runs. Exit code 1 if there is \
      any fault.
      """)

  @OptionGroup var store: StoreOptions
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let path = try store.path()
    let check = try StoreCommand.run { try StoreCheck(path: path) }
    try OutputBytes.print(json ? Self.json(check, path).text : Self.text(check, path))
    guard check.isSound else { throw CommandError.failed("\(path): \(Self.advice(check, path))") }
  }

  private static func text(_ check: StoreCheck, _ path: String) -> String {
    var lines = check.problems.map { "\($0.kind.rawValue): \(TerminalText.line($0.text))" }
    for kind in StoreProblem.Kind.allCases {
      if let more = check.omitted[kind] { lines.append("\(kind.rawValue): \(more) more") }
    }
    let size =
      "\(StoreCommand.size(check.bytes)), \(StoreCommand.size(check.freeBytes)) of it free for new "
      + "records"
    lines.append("\(path): \(size); rows: \(StoreCommand.rows(check))")
    if check.isSound { lines.append("passed its integrity check") }
    return lines.joined(separator: "\n")
  }

  private static func advice(_ check: StoreCheck, _ path: String) -> String {
    guard check.needsRepair else {
      return "failed its integrity check: correct these rows with sqlite3 or QGIS if they matter; "
        + "everything can be read"
    }
    return "failed its integrity check: stop the daemon and run `godwit store repair --store "
      + "\(path)`, or restore a backup with `godwit store restore FILE --store \(path)`"
  }

  private static func json(_ check: StoreCheck, _ path: String) -> JSONValue {
    func number(_ count: Int) -> JSONValue { .number(Double(count)) }
    let problems = check.problems.map { problem in
      JSONValue.object([
        ("kind", .string(problem.kind.rawValue)),
        ("table", problem.table.map { .string($0) } ?? .null),
        ("id", problem.id.map { .number(Double($0)) } ?? .null), ("text", .string(problem.text)),
      ])
    }
    return .object([
      ("store", .string(path)), ("passed", .bool(check.isSound)),
      ("asks_for_repair", .bool(check.needsRepair)), ("bytes", number(check.bytes)),
      ("free_bytes", number(check.freeBytes)),
      ("rows", .object(check.rows.map { (name: $0.table, value: number($0.count)) })),
      ("problems", .array(problems)),
      ("problems_omitted", number(check.problemCount - check.problems.count)),
    ])
  }
}

struct StoreRepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Save the readable part of a damaged store in a new one.",
    discussion: """
      Stop the daemon first. Every readable and valid row is copied to a new file, which replaces \
      the store; the others are counted and reported. The damaged file is kept unchanged under a \
      new name.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    guard try isNeeded(path) else {
      return try OutputBytes.print("\(path): nothing to repair; nothing was changed")
    }
    let repair = try StoreCommand.run { try StoreRepair(path: path) }
    var lines: [String] = []
    for tally in repair.tableResults {
      lines += tally.refused.map { "left out: \(TerminalText.line($0))" }
      if tally.refusedCount > tally.refused.count {
        lines.append(
          "left out: "
            + Counted.text(tally.refusedCount - tally.refused.count, "more row")
            + " of \(tally.table)")
      }
      lines += tally.unread.map { "not readable in \(tally.table): \($0)" }
    }
    lines += repair.leftOut.map {
      "left out: \(TerminalText.line($0)), which belongs to another program"
    }
    if repair.clearedReferences > 0 {
      lines.append(
        Counted.text(repair.clearedReferences, "visit or point belongs", "visits and points belong")
          + " to a destination or session that is lost")
    }
    if repair.correctedRows > 0 {
      lines.append(
        "corrected: the times of \(Counted.text(repair.correctedRows, "row")), which contradicted "
          + "each other"
      )
    }
    let saved = repair.tableResults.map { "\($0.saved) \($0.table)" }.joined(separator: ", ")
    lines.append("saved: \(saved)")
    let lost =
      repair.unread == 0
      ? ""
      : " and an unknown number of rows in "
        + "\(Counted.text(repair.unread, "damaged part")) of the file"
    lines.append(
      "lost: "
        + Counted.text(repair.refused, "invalid row", "invalid rows")
        + "\(lost); the previous file is "
        + "\(repair.keptAs)")
    try OutputBytes.print(lines.joined(separator: "\n"))
    if let warning = repair.warning { StoreCommand.warn(warning) }
  }

  private func isNeeded(_ path: String) throws -> Bool {
    try StoreCommand.run {
      // Locking would create a file where there is none.
      guard StoreFiles(path).isThere else { return true }
      let lock = try StoreLock(path: path)
      defer { lock.release() }
      return try StoreCheck(path: path).needsRepair
    }
  }
}

struct StoreCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Release the space of deleted records.",
    discussion: """
      Stop the daemon first. The daemon reuses that space for new records: compact only a store \
      that must stay smaller. A power cut during the command leaves the store unchanged. The \
      command needs as much free space as the store.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    let compaction = try StoreCommand.run { try StoreCompaction(path: path) }
    try OutputBytes.print(
      "\(path): \(compaction.bytesBefore) bytes before, \(compaction.bytesAfter) after")
  }
}

struct StoreBackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store to one file, even while the daemon writes.",
    discussion: """
      Never copy the file of a running daemon by other means: the contents of its log file would \
      be missing. The copy is checked, is on the disk when the command ends, and appears complete \
      or not at all. Faulty rows are copied and reported. Any program that reads GeoPackage can \
      open it.
      """)

  @Argument(help: "Output file.", completion: .file()) var file: String
  @Flag(help: "Replace an existing file.") var force = false
  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    try store.protected().refuse(file, namedBy: "backup to")
    let copy = try StoreCommand.run { try StoreBackup().save(path, to: file, replacing: force) }
    try OutputBytes.print("\(path): copied to \(file), \(copy.bytes) bytes, checked")
    StoreCommand.report(copy, of: path)
  }
}

struct StoreRestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Replace the store with a backup.",
    discussion: """
      Stop the daemon first. The backup is checked and stays where it is: a damaged one is \
      refused, and faulty rows are reported. The present store is kept under a new name.
      """)

  @Argument(help: "Backup, or any store.", completion: .file(extensions: ["gpkg"]))
  var file: String
  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    try ProtectedFiles([path]).refuse(file, namedBy: "restore from")
    // Shows what is replaced; for a damaged store that may be unknown.
    let present = StoreFiles(path).isThere ? try? StoreCheck(path: path) : nil
    let copy = try StoreCommand.run { try StoreBackup().restore(file, to: path) }
    var lines = ["\(path): restored from \(file), with \(StoreCommand.rows(copy.check))"]
    if let kept = copy.keptAs {
      let files = StoreFiles(kept).all.filter { access($0, F_OK) == 0 }
      let rows = present.map { ", with \(StoreCommand.rows($0))" } ?? ""
      lines.append("the previous store\(rows): \(files.joined(separator: " and "))")
    }
    try OutputBytes.print(lines.joined(separator: "\n"))
    StoreCommand.report(copy, of: file)
  }
}
