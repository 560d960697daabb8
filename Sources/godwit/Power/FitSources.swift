import ArgumentParser
import Analysis
import Formats
import Core
import Platform
import Ports
import Hardware
import Records
import Store

/// The stores that a receiver is fitted from.
struct FitSources: ParsableArguments {
  @Option(
    name: .customLong("store"),
    help: ArgumentHelp(
      "Store to read. May be repeated. Default: store.path of the settings.",
      valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var stores: [String] = []

  @Argument(
    help: ArgumentHelp(
      "Recordings of 'power record --out FILE.json' made while the daemon ran, or the folder of a "
        + "power test: they measure the states of the receiver that the stores contain.",
      valueName: "recording"),
    completion: .file(extensions: ["json"]))
  var recordings: [String] = []

  @OptionGroup var times: RangeOptions
  @OptionGroup var configuration: ConfigOptions

  func paths() throws -> [String] {
    guard !stores.isEmpty else { return [try configuration.load().settings.store.path] }
    // A store read twice would make every interval too narrow.
    var seen: Set<String> = []
    for store in stores where !seen.insert(SystemFiles.resolved(store) ?? store).inserted {
      throw CommandError.wrongUsage("--store \(store): that store is named twice; name it once")
    }
    return stores
  }

  /// The files that no output may overwrite: these, and the board's.
  func protected() throws -> ProtectedFiles { configuration.protected(with: try paths()) }

  /// Reads everything, and reports any error in one line.
  func runs() throws -> [MeasuredRun] {
    var runs = try paths().map { path in
      do throws(PortError) {
        return try run(path)
      } catch {
        throw CommandError.failed(error.message)
      }
    }
    for named in recordings {
      var total = 0
      let parts = try TestFolder.recordings(in: named)
      // One by one: a week of readings does not fit into a small board's memory.
      for part in parts { total += try measure(&runs, by: RecordingFile(part)) }
      if total == 0 { throw Self.foreign(named) }
    }
    return runs
  }

  private static func foreign(_ path: String) -> CommandError {
    .failed(
      "\(path): it covers no state of the receiver in the stores; record while the daemon "
        + "runs, and name its store")
  }

  /// - Returns: the number of segments that it measures.
  private func measure(_ runs: inout [MeasuredRun], by file: RecordingFile) throws -> Int {
    var total = 0
    for index in runs.indices {
      let (segments, recorded) = file.recording.measuring(runs[index].segments)
      guard recorded > 0 else { continue }
      total += recorded
      runs[index].segments = segments
      let monitor = runs[index].monitor ?? file.monitor
      guard monitor == file.monitor else {
        throw CommandError.failed(
          "\(file.path) is of another monitor (\(file.monitor ?? "not known")) than "
            + "\(runs[index].name) (\(monitor ?? "not known")), whose errors differ")
      }
      runs[index].monitor = monitor
    }
    return total
  }

  private func run(_ path: String) throws(PortError) -> MeasuredRun {
    let reader = try StoreReader(path: path)
    try reader.freeze()
    let provenance = StoredProvenance(try reader.provenance())
    var run = MeasuredRun(
      name: path, monitor: provenance.monitor,
      keepsNavigationData: provenance.keepsNavigationData)
    var segments = try reader.segments(in: times.range)
    run.segments = try segments.all()
    var sessions = try reader.sessions(in: times.range)
    run.sessions = try sessions.all()
    var points = try reader.trackPoints(in: times.range)
    while let point = try points.next() {
      guard let session = point.session, run.accuracies[session] == nil else { continue }
      run.accuracies[session] = point.location.accuracy
    }
    return run
  }
}

/// The hardware in a store's provenance. Settings that are not listed have their defaults.
struct StoredProvenance {
  private let json: JSONValue?

  init(_ text: String?) { json = text.flatMap { try? JSONValue(parsing: $0) } }

  private var isSimulated: Bool { json?["kind"]?.string == Provenance.Kind.simulated.rawValue }

  private func setting(_ key: String) -> JSONValue? { json?["settings"]?[key] }

  /// Chip and resistor; nil if nothing was measured, or an older version wrote the store.
  var monitor: String? {
    let kind = json?["power_monitor"]?.string
    guard let kind, kind != MonitorSettings.Kind.none.rawValue else { return nil }
    guard !isSimulated else { return "the virtual board's monitor" }
    let builtIn = MonitorSettings()
    return MonitorText.of(
      chip: setting("power_monitor.chip")?.string ?? builtIn.chip.rawValue, kind: kind,
      shunt: setting("power_monitor.shunt_mOhm")?.number ?? builtIn.shunt.value * 1000,
      tolerance: setting("power_monitor.shunt_tolerance_percent")?.number
        ?? builtIn.shuntTolerancePercent)
  }

  /// A receiver starts cold after each cut only if nothing restores its data.
  var keepsNavigationData: Bool {
    let hasBackup = setting("power_switch.backup_supply")?.bool ?? true
    let isGivenBack = !isSimulated && setting("power_switch.navigation_backup")?.string != "none"
    return hasBackup || isGivenBack
  }
}
