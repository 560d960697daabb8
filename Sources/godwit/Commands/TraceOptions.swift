import ArgumentParser
import Formats
import VirtualDevice

/// Selects the positions of a trace file that are used.
struct TraceOptions: ParsableArguments {
  /// The help text on formats, shared by every command with a trace.
  static let formats = """
    NMEA, UBX, gpsd JSON, GPX, TCX, PLT, JSON of OwnTracks, Google, Overland or GeoJSON, CSV with \
    a header (time,lat,lon[,ele,hacc,speed] and what others call these)
    """
  static let order = """
    Positions of a file are sorted by time; what is there twice, and a date that those before and \
    after it contradict, is left out and told. Times without a zone are taken for UTC.
    """

  @Option(
    help: ArgumentHelp(
      "Of a file with several people, animals, devices or tracks at one time: only this one's "
        + "positions, by the name that the file has.", valueName: "name"))
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
      What a trace that has no accuracies is taken to have seen of the sky: \
      \(AssumedReception.allCases.map(\.rawValue).joined(separator: ", ")). If not given, open.
      """,
    completion: .list(AssumedReception.allCases.map(\.rawValue)))
  var sky: String?
  @Flag(
    help: """
      Run through holes of more than \(longestHole) days in a trace, too, which are refused \
      otherwise: mostly a wrong date makes them.
      """)
  var throughHoles = false

  var words: [String] {
    (sky.map { ["--sky", $0] } ?? []) + (throughHoles ? ["--through-holes"] : [])
  }

  func assumedReception() throws(CommandError) -> AssumedReception {
    guard let sky else { return .open }
    guard let known = AssumedReception(rawValue: sky) else {
      throw .wrongUsage(
        "--sky: there is no sky '\(sky)'; give "
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
      "\(path): it has a hole \(hole.text), and the virtual board would run through all of it; cut "
        + "the trace there if its dates are right, or add --through-holes")
  }

  /// The assumed satellite reception, for programs; nil if the trace contains it.
  func note(_ findings: TraceFindings) throws(CommandError) -> String? {
    findings.withoutAccuracy > 0 ? "assumed \(try assumedReception().rawValue)" : nil
  }

  func sentence(_ findings: TraceFindings) throws(CommandError) -> String? {
    guard findings.withoutAccuracy > 0 else { return nil }
    let which =
      findings.lacksAccuracy ? "its positions say" : "\(findings.withoutAccuracy) positions say"
    return "\(which) nothing of their accuracy, so the sky there is assumed "
      + "\(try assumedReception().rawValue) (--sky)"
  }
}
