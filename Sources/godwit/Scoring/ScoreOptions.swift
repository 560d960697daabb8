import ArgumentParser
import Formats

/// Options for comparing a run with its truth.
struct ScoreOptions: ParsableArguments {
  @Flag(
    help: """
      Compare the stored records with the truth: visits with the true stays of at least \
      dwell.min_dwell_s, if these are known, and the route every 10 s under way. Always on in a \
      comparison.
      """)
  var score = false
  @Option(
    help: ArgumentHelp(
      "True stays of traces, to score visits: a JSON array in the format of --truth-stays, or a "
        + "CSV table with arrival and departure (UTC, or with the column utc_offset), for several "
        + "traces with the column trace; "
        + "or a folder with such a file for each trace, by its name. Implies --score.",
      valueName: "file|folder"), completion: .file())
  var stays: String?
  /// Used by the program itself.
  @Flag(help: .hidden) var isForComparison = false
  @Flag(help: .hidden) var withChargeCurve = false

  var isWanted: Bool { score || stays != nil || isForComparison }

  /// The stays of this trace; nil: none were given.
  func stays(of trace: String?) throws(CommandError) -> [StayTable.Row]? {
    guard let stays else { return nil }
    guard let trace else {
      throw .wrongUsage("--stays: the stays of a life are known; leave it out, or name a trace")
    }
    guard let rows = try WrittenStays(stays, isKnown: isForComparison).stays(of: trace)
    else {
      throw .failed(
        "--stays \(stays): it has no stays of \(trace); its column trace, or the names in the "
          + "folder, must match the name of the trace")
    }
    return rows
  }
}
