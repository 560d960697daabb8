import ArgumentParser
import Notation
import Ports
import Store

/// `godwit store`: maintenance of the store's file.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Check, repair, compact, back up and restore the store.",
    discussion: """
      'check' and 'backup' work while the daemon runs; for the others it has to be stopped. \
      Nothing is ever written over the only copy: what is replaced is kept under a new name.
      """,
    subcommands: [
      StoreCheckCommand.self, StoreRepairCommand.self, StoreCompactCommand.self,
      StoreBackupCommand.self, StoreRestoreCommand.self,
    ])

  /// Runs a body that may fail with a store error, and reports that in one line.
  static func run<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as StoreError {
      throw CommandError.failed(error.message)
    }
  }

  /// Reports what is wrong with a copy that was made nevertheless.
  static func report(_ copy: StoreBackup.Copy, of source: String) {
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
  static func rows(_ check: StoreCheck) -> String {
    let rows = check.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.table)" }
    return rows.isEmpty ? "none" : rows.joined(separator: ", ")
  }

  static func warn(_ text: String) {
    var messages = StandardError()
    print("godwit: \(text)", to: &messages)
  }

  static func size(_ bytes: Int) -> String { "\((bytes + 999) / 1000) kB" }
}
