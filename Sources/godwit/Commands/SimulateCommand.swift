import ArgumentParser
import GodwitSettings

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Try a policy on a virtual board, in virtual time.",
    discussion: """
      A dense trace is the ground truth (\(TraceOptions.formats)); without one, the synthetic days \
      of a life are. \(TraceOptions.order) The virtual receiver only sends while it is powered \
      and has acquired, so that the store contains what the schedule would have seen. \
      Several policies, traces, lives, seeds or values of a setting make a comparison: a table of \
      what each costs and finds, with the command that makes each line again.
      """)

  @Argument(
    help: "The ground truth: a dense trace. Several, or a folder of them, are compared.",
    completion: .file())
  var traces: [String] = []
  @OptionGroup var options: ConfigOptions
  @Option(
    help: """
      \(PolicyChoice.names.joined(separator: ", ")); overrides policy.name. Several with commas \
      between them are compared.
      """,
    completion: .list(PolicyChoice.names))
  var policy: String?
  @Option(parsing: .unconditional, help: "The same seed gives the same run.") var seed: UInt64 = 1
  @OptionGroup var life: LifeOptions
  @OptionGroup var traceOptions: TraceOptions
  @OptionGroup var traceTruth: TraceTruthOptions
  @OptionGroup var truthOptions: TruthOptions
  @OptionGroup var sources: SourceOptions
  @OptionGroup var scoring: ScoreOptions
  @OptionGroup var comparison: ComparisonOptions
  @Option(
    help: ArgumentHelp(
      "Store file; must not exist yet. Of a comparison the folder for the stores of its runs. May "
        + "be left out of a comparison, and with --score.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String?
  @Option(
    help: ArgumentHelp(
      """
      Places to watch: a store, whose alerts, letters and meetings count, too; or a file of places \
      as for `godwit places import`, with an alert for every arrival and departure. Their beacons \
      are heard with bluetooth.kind=bluez. What happens there is in the store.
      """, valueName: "file"), completion: .file())
  var places: String?
  @Flag(help: "Make every transaction survive a power cut, as the daemon does. Slower.")
  var durable = false
  @Flag(
    help: """
      Compute the least energy that any schedule could have used to know this truth, and one that \
      knows no future; for a trajectory error of policy.adaptive.trajectory_error_m, and a fix \
      within a minute of every arrival and departure.
      """)
  var bound = false
  @Flag(help: "Print the summary as one JSON object; a comparison as an array of them.")
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
        throw .wrongUsage("\(option): '\(name)' is given twice")
      }
      names.append(name)
    }
    return names
  }
}
