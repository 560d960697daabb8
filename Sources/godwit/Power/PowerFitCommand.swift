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
      Reads what the daemon, or 'power record' beside it, has measured with a power monitor and \
      prints the receiver's currents and start-up times with intervals of 95 %, and what the data \
      cannot tell. With --out it writes them as a part file that --board takes; beside the \
      receiver's own part, whose figures count where the data cannot tell. Stores and recordings \
      are only read.
      """)

  @OptionGroup var sources: FitSources
  @Option(
    help: ArgumentHelp(
      "Where the part file goes; must not exist yet. Without it, nothing is written.",
      valueName: "file"), completion: .file(extensions: ["toml"]))
  var out: String?
  @Option(
    help: ArgumentHelp(
      "What the part is called; the name of --out's file or folder if not given.",
      valueName: "name"))
  var name: String?
  @Flag(help: "Take what a simulation stored for measured, to try this command; the file says so.")
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
        "--name \(name): there is a board of that name; give the measured one another with --name")
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
    if simulated { lines.append("What a simulation stored was taken for measured.") }
    return lines
  }

  private static func message(_ failure: FitFailure) -> String {
    switch failure {
    case .noSegments:
      return "there are no power segments: the daemon stores them while it runs; look with "
        + "'godwit status' whether it does, and whether --from and --to leave any"
    case .nothingMeasured(let modelled, let simulated):
      let measure =
        "describe the power monitor in section power_monitor (kind, chip, shunt_mOhm), see with "
        + "'godwit power watch' that it measures, and let the daemon run for a day or two"
      guard simulated == 0 else {
        return "nothing was measured: \(Counted.text(simulated, "segment is", "segments are")) "
          + "of the virtual board. On a real one, \(measure); --simulated takes them for measured"
      }
      return "nothing was measured: \(Counted.text(modelled, "segment is", "segments are")) "
        + "computed from the currents of the settings. To measure, \(measure)"
    case .monitorsDiffer(let monitors):
      return "the stores are of different monitors, whose errors differ: "
        + monitors.joined(separator: "; ") + ". Fit those of each by themselves"
    }
  }
}
