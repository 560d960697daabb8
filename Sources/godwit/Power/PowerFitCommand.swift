import ArgumentParser
import Analysis
import Formats
import Core
import Platform
import VirtualDevice

struct PowerFitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fit",
    abstract: "Learn a receiver's currents and start-up times from measured stores.",
    discussion: """
      Reads the measurements of a power monitor by the daemon, or by 'power record' beside it, and \
      prints the receiver's currents and start-up times with intervals of 95 %, and the figures \
      that the data do not contain. --out writes them as a part file for --board, to use beside \
      the receiver's own part, which provides the missing figures. Stores and recordings are not \
      changed.
      """)

  @OptionGroup var sources: FitSources
  @Option(
    help: ArgumentHelp(
      "Part file to write; must not exist yet. Default: write no file.",
      valueName: "file"), completion: .file(extensions: ["toml"]))
  var out: String?
  @Option(
    help: ArgumentHelp(
      "Name of the part. Default: the name of the file or folder of --out.",
      valueName: "name"))
  var name: String?
  @Flag(help: "Treat the data of a simulation as measured, to try this command; the file notes it.")
  var simulated = false
  @Flag(help: "Print one JSON object.") var json = false

  func run() throws {
    let target = try out.map { try place($0) }
    let runs = try sources.runs()
    let fit: ReceiverFit
    do throws(FitFailure) {
      fit = try ReceiverFit(
        runs, calibration: StartCalibration(VirtualReceiverSettings()), countsSimulated: simulated)
    } catch {
      throw CommandError.failed(Self.message(error))
    }
    if let target {
      let part = PartFile(name: target.name, provenance: provenance(runs))
      do throws(FileFailure) {
        let file = try AtomicFile(path: target.path)
        try file.write(Array(part.text(of: fit).utf8))
        try file.commit()
      } catch {
        throw CommandError.failed("--out: \(error.description)")
      }
    }
    let report = FitReport(fit, written: target?.path)
    try OutputBytes.print(json ? report.json.text : report.text)
  }

  /// The path and the name of the part file, checked before anything is read.
  private func place(_ path: String) throws -> (path: String, name: String) {
    try sources.protected().refuse(path, namedBy: "--out")
    guard !path.isEmpty, !path.hasSuffix("/") else {
      throw CommandError.wrongUsage("--out: '\(path)' names no file")
    }
    guard FileStatus(path: path, followsLinks: false) == nil else {
      throw CommandError.wrongUsage(
        "--out \(path): it exists already; remove it or name another file")
    }
    let name = name ?? Self.name(of: path)
    let settings = sources.configuration.file
    guard !BoardFolders(settings: settings).known.contains(name) else {
      throw CommandError.wrongUsage(
        "--name \(name): there is a board of that name; choose another name with --name")
    }
    return (path, name)
  }

  /// `mine` for `mine.toml` and for `mine/board.toml`, as boards are named.
  private static func name(of path: String) -> String {
    let parts = PathParts(path)
    if parts.name == "board.toml", parts.folder != "." { return PathParts(parts.folder).name }
    return parts.name.hasSuffix(".toml") ? String(parts.name.dropLast(5)) : parts.name
  }

  private func provenance(_ runs: [MeasuredRun]) -> [String] {
    let version = Godwit.configuration.version
    var lines = ["Made by 'godwit power fit' of godwit \(version) from:"]
    for run in runs {
      let starts = run.segments.map(\.start)
      let days = [starts.min(), starts.max()].compactMap { $0 }.map { ISO8601.text($0, digits: 0) }
      lines.append(
        "  \(run.name), \(days.joined(separator: " to ")), "
          + "\(run.monitor ?? "monitor not known")")
    }
    for recording in sources.recordings { lines.append("  \(recording)") }
    if simulated { lines.append("Data of a simulation were treated as measured.") }
    return lines
  }

  private static func message(_ failure: FitFailure) -> String {
    switch failure {
    case .noSegments:
      return "there are no power segments: the daemon stores them while it runs; check with "
        + "'godwit status' that it runs, and that --from and --to leave some"
    case .nothingMeasured(let modelled, let simulated):
      let measure =
        "describe the power monitor in section power_monitor (kind, chip, shunt_mOhm), check with "
        + "'godwit power watch' that it measures, and run the daemon for a day or two"
      guard simulated == 0 else {
        return "nothing was measured: \(Counted.text(simulated, "segment is", "segments are")) "
          + "of the virtual board. On a real one, \(measure); --simulated treats them as measured"
      }
      return "nothing was measured: \(Counted.text(modelled, "segment is", "segments are")) "
        + "computed from the currents of the settings. To measure, \(measure)"
    case .monitorsDiffer(let monitors):
      return "the stores are of different monitors, whose errors differ: "
        + monitors.joined(separator: "; ") + ". Fit the stores of each monitor separately"
    }
  }
}
