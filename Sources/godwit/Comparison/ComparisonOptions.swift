import ArgumentParser

/// The options of a comparison: its dimensions, and its outputs.
struct ComparisonOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Compare over so many seeds, from --seed on: 1 if not given. Intervals are over them.")
  var seeds: Int?
  @Option(
    help: ArgumentHelp(
      "Try a setting with several values: KEY=from..to (five, evenly), from..to:step, "
        + "from..to/count or a,b,c. A policy's setting may go without policy. before it, and "
        + "varies that policy alone. May be repeated: all combinations.", valueName: "key=values"),
    completion: CompletedWords.assignments)
  var sweep: [String] = []
  @Option(parsing: .unconditional, help: "Runs at once: as many as there are cores if not given.")
  var jobs: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Tell for how many days a battery of so many mAh would feed receiver and sources, at "
        + "policy.adaptive.budget_V; without it, one of policy.adaptive.budget_mAh if that is set. "
        + "What else the board draws is not in it.", valueName: "mAh"))
  var battery: Double?
  @Option(
    help: ArgumentHelp(
      "Write the comparison there as a CSV table; a file there is replaced.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var csv: String?
  @Option(
    help: ArgumentHelp(
      "Write the comparison there as a page for a browser; a file there is replaced.",
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
