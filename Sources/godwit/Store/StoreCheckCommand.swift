import ArgumentParser
import Notation
import Store

struct StoreCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the integrity of the store and that every row can be read.",
    discussion: """
      Reads everything and changes nothing, also while the daemon runs. Exit code 1 when anything \
      is wrong.
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
    guard check.asksForRepair else {
      return "failed its integrity check: correct these rows with sqlite3 or QGIS if they matter; "
        + "everything can be read"
    }
    return "failed its integrity check: stop the daemon and run `godwit store repair --store "
      + "\(path)`, or take a backup back with `godwit store restore FILE --store \(path)`"
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
      ("asks_for_repair", .bool(check.asksForRepair)), ("bytes", number(check.bytes)),
      ("free_bytes", number(check.freeBytes)),
      ("rows", .object(check.rows.map { (name: $0.table, value: number($0.count)) })),
      ("problems", .array(problems)),
      ("problems_omitted", number(check.problemCount - check.problems.count)),
    ])
  }
}
