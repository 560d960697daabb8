import ArgumentParser
import Notation
import Store

struct StoreRepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Save the readable part of a damaged store into a new one.",
    discussion: """
      The daemon has to be stopped. Every row that can be read and understood goes into a new \
      file, which replaces the store; the others are counted and reported. The damaged file is \
      kept under a new name, as it was.
      """)

  @OptionGroup var store: StoreOptions

  func run() throws {
    let path = try store.path()
    guard try isNeeded(path) else {
      return try OutputBytes.print("\(path): nothing to repair; nothing was changed")
    }
    let repair = try StoreCommand.run { try StoreRepair(path: path) }
    var lines: [String] = []
    for tally in repair.tallies {
      lines += tally.refused.map { "left out: \(TerminalText.line($0))" }
      if tally.refusedCount > tally.refused.count {
        lines.append(
          "left out: \(tally.refusedCount - tally.refused.count) more rows of \(tally.table)")
      }
      lines += tally.unread.map { "not readable in \(tally.table): \($0)" }
    }
    lines += repair.leftOut.map { "left out: \(TerminalText.line($0)), which is another program's" }
    if repair.loosened > 0 {
      lines.append(
        "\(repair.loosened) visits and points belong to a destination or session that is lost")
    }
    let saved = repair.tallies.map { "\($0.saved) \($0.table)" }.joined(separator: ", ")
    lines.append("saved: \(saved)")
    let lost =
      repair.unread == 0
      ? "" : " and an unknown number of rows in \(repair.unread) damaged parts of the file"
    lines.append(
      "lost: \(repair.refused) rows that make no sense\(lost); the file as it was is "
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
      return try StoreCheck(path: path).asksForRepair
    }
  }
}
