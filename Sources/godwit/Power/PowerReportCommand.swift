import ArgumentParser
import Glibc
import Laboratory
import Notation
import Platform
import Quantities
import VirtualDevice

struct PowerReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Compare recordings: means with intervals, differences, charge over time.",
    discussion: """
      Give the recordings of godwit power record, each as FILE or as NAME=FILE: those of one name \
      are runs of one condition, and every other condition is compared with the first. Without a \
      name a recording is a condition of its own. What speaks against the figures (the monitor at \
      the end of its range, missing time, different monitors) is said first.
      """)

  @Argument(
    help: ArgumentHelp("Recordings, .json or .csv.", valueName: "[name=]file"),
    completion: .file(extensions: ["json", "csv"]))
  var recordings: [String]

  @Option(
    help: ArgumentHelp(
      "Write the report there: report.html, a page that needs no other file; charge.svg, its "
        + "figure; charge.csv, the figure's data; report.json. The folder is made.",
      valueName: "folder"), completion: .directory)
  var out: String?

  @Flag(
    help: """
      The runs of each number belong together (made in turns: A, B, A, B): what both have in \
      common drops out of their difference.
      """)
  var paired = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Say how many runs it takes until the interval is as narrow as ± so many percent.",
      valueName: "percent"))
  var wanted = 5.0

  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    guard wanted > 0, wanted <= 100 else {
      throw ValidationError("--wanted \(wanted): it takes more than 0 and at most 100 percent")
    }
  }

  func run() throws {
    let report = try report()
    let value = report.json(program: "godwit \(Godwit.configuration.version)")
    if let out { try write(report, value, into: out) }
    try OutputBytes.print(json ? value.text : report.text)
  }

  private func report() throws -> PowerReport {
    let conditions = try NamedRecordings(recordings).conditions()
    if paired, let odd = conditions.dropFirst().first(where: { $0.count != conditions[0].count }) {
      throw CommandError.wrongUsage(
        "--paired: \(odd.name) has \(Counted.text(odd.count, "run")), \(conditions[0].name) has "
          + "\(conditions[0].count); pairs need as many of each")
    }
    // The same recordings give the same intervals.
    var random = SeededRandom(seed: 1)
    return PowerReport(
      try conditions.map { try $0.read() },
      options: .init(wantedHalfWidth: wanted / 100, isPaired: paired), using: &random)
  }

  private func write(_ report: PowerReport, _ json: JSONValue, into folder: String) throws {
    let files = [
      ("report.html", report.page), ("charge.svg", report.chart.file),
      ("charge.csv", report.chartData), ("report.json", Array((json.text + "\n").utf8)),
    ].map { (path: "\(folder)/\($0)", bytes: $1) }
    let read = Set(recordings.compactMap { FileIdentity(path: NamedRecordings.path(of: $0)) })
    if let taken = files.first(where: { FileIdentity(path: $0.path).map(read.contains) ?? false }) {
      throw CommandError.wrongUsage(
        "--out \(folder): \(taken.path) is one of the recordings; name another folder")
    }
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw CommandError.failed(FileFailure("make", folder, code: errno).description)
    }
    for (path, bytes) in files {
      let file = try AtomicFile(path: path)
      try file.write(bytes)
      try file.commit()
    }
  }
}

/// Recordings as they are named on the command line, by their conditions.
struct NamedRecordings {
  struct Condition {
    let name: String
    fileprivate(set) var paths: [String]

    var count: Int { paths.count }

    func read() throws -> TestedCondition {
      TestedCondition(name: name, runs: try paths.map(NamedRecordings.read))
    }
  }

  /// More than a year of runs of a minute, one after the other, would be one more than that.
  private static let maxCount = 10_000

  private var found: [Condition] = []

  init(_ arguments: [String]) throws(CommandError) {
    guard arguments.count <= Self.maxCount else {
      throw .wrongUsage("\(arguments.count) recordings; it takes \(Self.maxCount) at most")
    }
    for argument in arguments {
      let path = Self.path(of: argument)
      guard !path.isEmpty else { throw .wrongUsage("'\(argument)' names no file") }
      let name = Self.name(of: argument)
      guard let index = found.firstIndex(where: { $0.name == name }) else {
        found.append(Condition(name: name, paths: [path]))
        continue
      }
      guard !found[index].paths.contains(path) else {
        throw .wrongUsage("\(path) is given twice; a run counts once")
      }
      found[index].paths.append(path)
    }
  }

  func conditions() -> [Condition] { found }

  /// A file whose own name holds "=" is meant where it is there.
  private static func split(_ argument: String) -> (name: String, path: String)? {
    guard let mark = argument.firstIndex(of: "="), mark > argument.startIndex,
      FileStatus(path: argument) == nil
    else { return nil }
    return (String(argument[..<mark]), String(argument[argument.index(after: mark)...]))
  }

  static func path(of argument: String) -> String { split(argument)?.path ?? argument }

  private static func name(of argument: String) -> String {
    if let split = split(argument) { return split.name }
    let last = argument.split(separator: "/").last.map(String.init) ?? argument
    guard let dot = last.lastIndex(of: "."), dot > last.startIndex else { return last }
    return String(last[..<dot])
  }

  private static func read(_ path: String) throws -> RecordedRun {
    let input = try InputBytes(path: path)
    var reader = RecordingReader(file: path)
    do {
      while let piece = try input.next() { try reader.feed(piece.bindMemory(to: UInt8.self)) }
      return try reader.finish()
    } catch let error as RecordingError {
      throw CommandError.failed(error.description)
    }
  }
}
