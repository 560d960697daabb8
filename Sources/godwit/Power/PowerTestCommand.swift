import ArgumentParser
import Config
import Analysis
import Core
import VirtualDevice

struct PowerTestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Measure conditions in turns, as a protocol says, and report what they cost.",
    discussion: """
      The protocol is a small file (TOML): its conditions are commands that run while the monitor \
      is read, each as often as it says, in an order of chance, with the idle board measured \
      before and after. All recordings and the report go into one folder; run again with the same \
      folder, an interrupted test goes on where it was. What the daemon at control.socket (or at \
      the protocol's socket) tells of the receiver's states, fixes and visits is in the report. \
      Stop a daemon that is not part of the test.
      """)

  @Argument(help: "The protocol.", completion: .file(extensions: ["toml"]))
  var file: String

  @OptionGroup var source: MonitorOptions

  @Option(
    help: ArgumentHelp(
      "Where recordings, the protocol and the report go. It is made; one that holds an interrupted "
        + "test of the same protocol is gone on with.", valueName: "folder"),
    completion: .directory)
  var out: String?

  @Option(
    help: ArgumentHelp(
      "Settings of a second monitor that is read at the same time: that of the whole board, say, "
        + "beside the receiver's. --board and --set are not for them. It is in the same report.",
      valueName: "file"),
    completion: .file(extensions: ["toml"]))
  var beside: String?

  @Flag(help: "Say what would be done and how long it takes; nothing is run or written.")
  var dryRun = false
  @Flag(help: "Print the report, or the plan, as one JSON object.") var json = false

  func run() throws {
    let test = try WrittenTest(file)
    if dryRun { return try OutputBytes.print(json ? test.plan.json.text : test.plan.text) }
    guard let out else {
      throw CommandError.wrongUsage("--out: name a folder for the recordings, or give --dry-run")
    }
    let channel = try channel(source)
    let second = try beside.map { path in
      try self.channel(MonitorOptions.parse(["--config", path, "--sysfs", source.sysfs]))
    }
    if let second, second.monitor.name == channel.monitor.name {
      throw CommandError.wrongUsage(
        "--beside: it describes the same monitor (\(channel.monitor.name)); give the settings of "
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
    return (lines.map { table.line($0) } + ["", "all of it: \(duration.inWords)"])
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
