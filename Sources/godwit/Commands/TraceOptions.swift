import ArgumentParser
import Formats
import VirtualDevice

/// Selects the positions of a trace file that are used.
struct TraceOptions: ParsableArguments {
  /// The help text on formats, shared by every command with a trace.
  static let formats = """
    NMEA, UBX, gpsd JSON, GPX, TCX, PLT, JSON of OwnTracks, Google, Overland or GeoJSON, CSV with \
    a header (time,lat,lon[,ele,hacc,speed] and their common synonyms)
    """
  static let order = """
    Positions of a file are sorted by time; duplicates, and dates that contradict those before \
    and after them, are left out and reported. Times without a zone count as UTC.
    """

  @Option(
    help: ArgumentHelp(
      "Only the positions of this one, by its name in the file, if the file has several people, "
        + "animals, devices or tracks at the same time.", valueName: "name"))
  var individual: String?

  /// The same option as command-line arguments.
  var words: [String] { individual.map { ["--individual", $0] } ?? [] }
}

/// Assumptions about the truth where a trace does not contain it.
struct TraceTruthOptions: ParsableArguments {
  /// The virtual board would simulate a longer hole for hours without a result.
  static let longestHole = 21  // days

  @Option(
    help: """
      Assumed view of the sky of a trace without accuracies: \
      \(AssumedReception.allCases.map(\.rawValue).joined(separator: ", ")). Default: open.
      """,
    completion: .list(AssumedReception.allCases.map(\.rawValue)))
  var sky: String?
  @Flag(
    help: """
      Accept holes of more than \(longestHole) days in a trace, which are refused otherwise: the \
      usual cause is a wrong date.
      """)
  var throughHoles = false

  var words: [String] {
    (sky.map { ["--sky", $0] } ?? []) + (throughHoles ? ["--through-holes"] : [])
  }

  func assumedReception() throws(CommandError) -> AssumedReception {
    guard let sky else { return .open }
    guard let known = AssumedReception(rawValue: sky) else {
      throw .wrongUsage(
        "--sky: there is no value '\(sky)'; use "
          + AssumedReception.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return known
  }

  /// - Throws: if a hole is longer than the limit.
  func check(_ span: TraceSpan, of path: String) throws(CommandError) {
    guard !throughHoles, let hole = span.longestHole,
      hole.length > .days(Double(Self.longestHole))
    else { return }
    throw .failed(
      "\(path): it has a hole \(hole.text), all of which would be simulated; correct its dates, "
        + "cut the trace there, or add --through-holes")
  }

  /// The assumed satellite reception, for programs; nil if the trace contains it.
  func note(_ findings: TraceFindings) throws(CommandError) -> String? {
    findings.withoutAccuracy > 0 ? "assumed \(try assumedReception().rawValue)" : nil
  }

  func sentence(_ findings: TraceFindings) throws(CommandError) -> String? {
    guard findings.withoutAccuracy > 0 else { return nil }
    let which =
      findings.lacksAccuracy ? "its positions have" : "\(findings.withoutAccuracy) positions have"
    return "\(which) no accuracy, so the view of the sky is assumed "
      + "\(try assumedReception().rawValue) (--sky)"
  }
}
