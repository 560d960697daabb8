import ArgumentParser
import Analysis
import Core
import Platform
import VirtualDevice

struct PowerReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Compare recordings: means with intervals, differences, charge over time.",
    discussion: """
      Name the recordings of godwit power record, each as FILE or as NAME=FILE: recordings with \
      the same name are runs of one condition, and every other condition is compared with the \
      first. A recording without a name is a separate condition. The report begins with doubts \
      about the figures (the monitor at the end of its range, missing time, different monitors). \
      For the folder of a power test, the report is made again.
      """)

  @Argument(
    help: ArgumentHelp(
      "Recordings, .json or .csv; or the folder of one test.", valueName: "[name=]file"),
    completion: .file(extensions: ["json", "csv"]))
  var recordings: [String]

  @Option(
    help: ArgumentHelp(
      "Folder for the report: report.html, a page that needs no other file; charge.svg, its "
        + "figure; charge.csv, the figure's data; report.json. The folder is created.",
      valueName: "folder"), completion: .directory)
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Output file for all readings of a test's folder as one CSV table, each with its condition, "
        + "its round and the receiver's state.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var samples: String?

  @Flag(
    help: """
      Pair the runs of the same number (made alternately: A, B, A, B): common influences then \
      cancel out in the difference.
      """)
  var paired = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Half-width of the interval, to show how many runs it needs.",
      valueName: "percent"))
  var wanted = PowerReportCommand.usualWidth
  private static let usualWidth = 5.0

  @Flag(
    help: """
      Accept reverse current: a battery was charged. Without this option, a recording with \
      reverse current has no energy, because VIN+ and VIN- of the monitor may be swapped.
      """)
  var charging = false

  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    guard wanted > 0, wanted <= 100 else {
      throw ValidationError("--wanted \(wanted): must be more than 0 and at most 100 percent")
    }
  }

  func run() throws {
    if recordings.count == 1, FileStatus(path: recordings[0])?.kind == .directory {
      return try reportTest(in: recordings[0])
    }
    guard samples == nil else {
      throw CommandError.wrongUsage("--samples needs the folder of a test, and nothing else")
    }
    let report = try report()
    let value = report.json(program: "godwit \(Godwit.configuration.version)")
    if let out { try write(report, value, into: out) }
    try OutputBytes.print(json ? value.text : report.text)
  }

  /// The folder of a test contains all input for its report.
  private func reportTest(in folder: String) throws {
    guard out == nil, !paired, !charging, wanted == Self.usualWidth else {
      throw CommandError.wrongUsage(
        "\(folder) is a folder: the report of a test is written there, as its protocol "
          + "specifies; leave out --out, --paired, --charging and --wanted")
    }
    let file = TestFolder.protocolFile(in: folder)
    guard FileStatus(path: file) != nil else {
      throw CommandError.failed(
        "\(folder): this folder is not that of a power test: there is no \(file)")
    }
    let test = try WrittenTest(file)
    if let samples { try test.write(samples, of: TestFolder(holdingTest: folder)) }
    try test.report(in: TestFolder(holdingTest: folder), json: json)
  }

  private func report() throws -> PowerReport {
    let conditions = try LabelledRecordings(recordings).conditions()
    if paired, let odd = conditions.dropFirst().first(where: { $0.count != conditions[0].count }) {
      throw CommandError.wrongUsage(
        "--paired: \(odd.name) has \(Counted.text(odd.count, "run")), \(conditions[0].name) has "
          + "\(conditions[0].count); pairs need as many of each")
    }
    // The same recordings give the same intervals.
    var random = SeededRandom(seed: 1)
    return PowerReport(
      try conditions.map { try $0.read(mayFlowBack: charging) },
      options: .init(wantedHalfWidth: wanted / 100, isPaired: paired), using: &random)
  }

  private func write(_ report: PowerReport, _ json: JSONValue, into folder: String) throws {
    let files = ReportFiles(folder: folder, report: report, json: json)
    if let taken = files.conflict(by: recordings.map { LabelledRecordings.path(of: $0) }) {
      throw CommandError.wrongUsage(
        "--out \(folder): \(taken) is one of the recordings; name another folder")
    }
    try OutputFolder.make(folder)
    try files.write()
  }
}
