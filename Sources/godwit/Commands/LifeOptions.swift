import ArgumentParser
import Core
import VirtualDevice

/// A synthetic life as the ground truth of a simulation.
struct LifeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Synthetic life to simulate: \(Life.all.map(\.name).joined(separator: ", ")); "
        + "default: \(Life.all[0].name). Several, separated by commas, or all, are "
        + "compared.",
      valueName: "name"),
    completion: .list(Life.all.map(\.name) + ["all"]))
  var life: String?
  // Unconditional, so that -1 is refused as a number of days and not taken for another option.
  @Option(parsing: .unconditional, help: "Number of synthetic days without a trace. Default: 1.")
  var days: Int?
  @Option(
    help: ArgumentHelp("First synthetic day. Default: 2026-05-04.", valueName: "yyyy-mm-dd"))
  var from: String?

  var dayCount: Int { days ?? 1 }
  private var lifeName: String { life ?? Life.all[0].name }
  private var firstDay: String { from ?? "2026-05-04" }

  var provenance: [(String, JSONValue)] {
    [("life", .string(lifeName)), ("days", .count(dayCount)), ("from", .string(firstDay))]
  }

  /// The names of all lives to be simulated.
  func names() throws(CommandError) -> [String] {
    if life == "all" { return Life.all.map(\.name) }
    return try ListedNames.split(
      lifeName, option: "--life", noun: "life", known: Life.all.map(\.name))
  }

  /// The options for the days of a life as command-line arguments.
  var dayWords: [String] {
    (days.map { ["--days", "\($0)"] } ?? []) + (from.map { ["--from", $0] } ?? [])
  }

  /// Reports the errors of `groundTruth` early.
  func check() throws(CommandError) {
    for name in try names() { _ = try groundTruth(of: name, seed: 1) }
  }

  func groundTruth(seed: UInt64) throws(CommandError) -> PlannedTruth {
    try groundTruth(of: lifeName, seed: seed)
  }

  private func groundTruth(of name: String, seed: UInt64) throws(CommandError) -> PlannedTruth {
    guard let life = Life.named(name) else {
      let names = Life.all.map(\.name).joined(separator: ", ")
      throw .wrongUsage("--life: there is no life '\(name)'; there are \(names)")
    }
    guard (1...36_600).contains(dayCount) else {
      throw .wrongUsage("--days: 1 to 36600, not \(dayCount)")
    }
    let from = firstDay
    guard let day = ISO8601.parse(from) else {
      throw .wrongUsage("--from: '\(from)' is not a date (yyyy-mm-dd)")
    }
    return PlannedTruth(life.itinerary(seed: seed), from: day, days: dayCount, seed: seed)
  }

  func refuseBesideTrace() throws(CommandError) {
    guard life == nil, days == nil, from == nil else {
      throw .wrongUsage(
        "--life, --days and --from choose a synthetic ground truth: remove them, or the trace")
    }
  }
}
