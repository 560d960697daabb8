import ArgumentParser

/// The options of a comparison: its dimensions, and its outputs.
struct ComparisonOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Number of seeds, starting with --seed. Default: 1. Intervals are over the seeds.")
  var seeds: Int?
  @Option(
    help: ArgumentHelp(
      "Setting to vary: KEY=from..to (five values, evenly), from..to:step, "
        + "from..to/count or a,b,c. The prefix policy. may be omitted; a setting of a policy "
        + "varies that policy alone. May be repeated: runs all combinations.",
      valueName: "key=values"),
    completion: CompletedWords.assignments)
  var sweep: [String] = []
  @Option(parsing: .unconditional, help: "Number of parallel runs. Default: the number of cores.")
  var jobs: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Battery capacity, to show for how many days it would supply receiver and sources, at "
        + "policy.adaptive.budget_V. Default: policy.adaptive.budget_mAh, if set. "
        + "The rest of the board is not included.", valueName: "mAh"))
  var battery: Double?
  @Option(
    help: ArgumentHelp(
      "Output file for a CSV table; an existing file is replaced.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var csv: String?
  @Option(
    help: ArgumentHelp(
      "Output file for an HTML page; an existing file is replaced.",
      valueName: "file"), completion: .file(extensions: ["html"]))
  var html: String?

  /// Whether even a single run is to be compared with continuous tracking.
  var isWanted: Bool {
    seeds != nil || !sweep.isEmpty || jobs != nil || battery != nil || csv != nil || html != nil
  }

  /// - Throws: for numbers out of range.
  func check() throws(CommandError) {
    if let seeds, !(1...100_000).contains(seeds) {
      throw .wrongUsage("--seeds: 1 to 100000, not \(seeds)")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw .wrongUsage("--jobs: 1 to 1024 runs at once, not \(jobs)")
    }
    if let battery, !(battery > 0 && battery <= 1e8) {
      throw .wrongUsage("--battery: more than 0 mAh, up to 100000000, not \(battery)")
    }
    if let csv, csv == html {
      throw .wrongUsage("--csv and --html are the same file \(csv); name another one")
    }
  }
}
