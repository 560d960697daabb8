import ArgumentParser
import Config
import Analysis
import Core
import VirtualDevice

struct PowerTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Measure conditions alternately, by a protocol, and report their cost.",
    discussion: """
      The protocol is a small TOML file: its conditions are commands that run while the monitor \
      is read, each as often as specified, in random order, with the idle board measured before \
      and after. All recordings and the report are written to one folder; to continue an \
      interrupted test, run it again with the same folder. The report includes the receiver's \
      states, fixes and visits from the daemon at control.socket (or at the protocol's socket). \
      Stop a daemon that is not part of the test.
      """)

  @Argument(help: "Protocol file.", completion: .file(extensions: ["toml"]))
  var file: String

  @OptionGroup var source: MonitorOptions

  @Option(
    help: ArgumentHelp(
      "Folder for recordings, protocol and report. It is created; an interrupted test of the "
        + "same protocol in it is continued.", valueName: "folder"),
    completion: .directory)
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Settings of a second monitor that is read at the same time, for instance of the whole "
        + "board; --board and --set do not apply to it. It is in the same report.",
      valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var beside: String?

  @Flag(help: "Show the steps and their duration; run and write nothing.")
  var dryRun = false
  @Flag(help: "Print the report, or the plan, as one JSON object.") var json = false

  func run() throws {
    let test = try WrittenTest(file)
    if dryRun { return try OutputBytes.print(json ? test.plan.json.text : test.plan.text) }
    guard let out else {
      throw CommandError.wrongUsage("--out: name a folder for the recordings, or use --dry-run")
    }
    let channel = try channel(source)
    let second = try beside.map { path in
      try self.channel(MonitorOptions.parse(["--config", path, "--sysfs", source.sysfs]))
    }
    if let second, second.monitor.name == channel.monitor.name {
      throw CommandError.wrongUsage(
        "--beside: it describes the same monitor (\(channel.monitor.name)); name the settings of "
          + "the second one")
    }
    let folder = try TestFolder(out, of: test.file)
    try folder.claim([channel.monitor.name] + [second?.monitor.name].compactMap { $0 })
    try TestRunner(test.test, test.plan, in: folder, channel, beside: second).run()
    try test.report(in: folder, json: json)
  }

  private func channel(_ options: MonitorOptions) throws -> TestedChannel {
    let (monitor, _, configuration) = try options.monitor()
    return TestedChannel(monitor: monitor, configuration: configuration)
  }
}

extension TestPlan {
  /// For people: every step with its start.
  var text: String {
    var start = warmUp
    var lines = [["begins", "measured", "step", "meanwhile"]]
    if warmUp > 0 { lines.append(["0 s", "-", "warm-up, \(warmUp.inWords)", "nothing"]) }
    for step in steps {
      start += step.settling
      lines.append(
        [
          start.inWords, step.duration.inWords, step.title,
          step.command.isEmpty ? "nothing" : Self.line(of: step.command),
        ])
      start += step.duration
    }
    let table = TextTable([.init(side: .right), .init(side: .right), .init(), .init()])
      .fitted(to: lines)
    return (lines.map { table.line($0) } + ["", "total: \(duration.inWords)"])
      .joined(separator: "\n")
  }

  /// The lines of a command joined into one, without blank lines.
  private static func line(of command: String) -> String {
    let lines = command.split(whereSeparator: \.isNewline).compactMap { line in
      line.firstIndex { !$0.isWhitespace }.map { TerminalText.line(String(line[$0...])) }
    }
    return lines.joined(separator: "; ")
  }

  /// For programs.
  var json: JSONValue {
    .object([
      ("duration_s", .rounded(duration.value, digits: 3)),
      ("warm_up_s", .rounded(warmUp.value, digits: 3)),
      (
        "steps",
        .array(
          steps.map { step in
            .object([
              ("file", .string(step.file)), ("title", .string(step.title)),
              ("settle_s", .rounded(step.settling.value, digits: 3)),
              ("duration_s", .rounded(step.duration.value, digits: 3)),
              ("run", .string(step.command)),
            ])
          })
      ),
    ])
  }
}
