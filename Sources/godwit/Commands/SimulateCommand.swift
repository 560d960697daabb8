import ArgumentParser
import GodwitSettings

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Test a policy on a virtual board, in virtual time.",
    discussion: """
      The ground truth is a dense trace (\(TraceOptions.formats)) or, without one, the synthetic \
      days of a life. \(TraceOptions.order) The virtual receiver sends fixes only while it is \
      powered and has acquired satellites, so the store contains what the schedule would have \
      recorded. Several policies, traces, lives, seeds or values of a setting make a comparison: \
      a table of the cost and the findings of each, with the command that reproduces each line.
      """)

  @Argument(
    help: "Ground truth: a dense trace. Several traces, or a folder of them, make a comparison.",
    completion: .file())
  var traces: [String] = []
  @OptionGroup var options: ConfigOptions
  @Option(
    help: """
      Policy, overrides policy.name: \(PolicyChoice.names.joined(separator: ", ")). Several, \
      separated by commas, make a comparison.
      """,
    completion: .list(PolicyChoice.names))
  var policy: String?
  @Option(
    parsing: .unconditional,
    help: "Seed of the random numbers. The same seed produces the same run.") var seed: UInt64 = 1
  @OptionGroup var life: LifeOptions
  @OptionGroup var traceOptions: TraceOptions
  @OptionGroup var traceTruth: TraceTruthOptions
  @OptionGroup var truthOptions: TruthOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var scoring: ScoreOptions
  @OptionGroup var comparison: ComparisonOptions
  @Option(
    help: ArgumentHelp(
      "New store file; must not exist yet. For a comparison, the folder for the stores of its "
        + "runs. Optional for a comparison, and with --score.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?
  @Option(
    help: ArgumentHelp(
      """
      Places to watch: a store, with its alerts, letters and meetings; or a file of places as for \
      `godwit places import`, with an alert for every arrival and departure. Beacons of places \
      need bluetooth.kind=bluez. The store of the run contains the results.
      """, valueName: "file"), completion: .file())
  var places: String?
  @Flag(help: "Make every transaction durable against a power cut, as the daemon does. Slower.")
  var durable = false
  @Flag(
    help: """
      Compute the least energy with which any schedule, and any that does not know the future, \
      could have recorded this truth: with a trajectory error of \
      policy.adaptive.trajectory_error_m, and a fix within a minute of every arrival and departure.
      """)
  var bound = false
  @Flag(help: "Print the summary as one JSON object, or a comparison as an array of objects.")
  var json = false

  func run() throws {
    let names = try policyNames()
    let lives = traces.isEmpty ? try life.names() : []
    let isOne = names.count == 1 && lives.count < 2 && traces.count < 2
    if isOne, !comparison.isWanted, !TraceList.isFolder(traces.first) { return try runOnce() }
    let configuration = try options.load()
    try Comparison(self, names, lives: lives, configuration: configuration).run()
  }

  /// The policies to try: at least one.
  private func policyNames() throws(CommandError) -> [String] {
    guard let policy else { return [""] }
    return try ListedNames.split(
      policy, option: "--policy", noun: "policy", plural: "policies", known: PolicyChoice.names)
  }
}

/// Names with commas between them.
enum ListedNames {
  static func split(
    _ text: String, option: String, noun: String, plural: String? = nil, known: [String]
  ) throws(CommandError) -> [String] {
    var names: [String] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard known.contains(name) else {
        let all = known.joined(separator: ", ")
        throw .wrongUsage(
          "\(option): there is no \(noun) '\(name)'; "
            + (plural.map { "\($0): \(all)" } ?? "there are \(all)"))
      }
      guard !names.contains(name) else {
        throw .wrongUsage("\(option): '\(name)' is named twice")
      }
      names.append(name)
    }
    return names
  }
}
