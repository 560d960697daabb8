import Records
import Core

/// The metadata of a recording. A table (CSV) has none.
public struct RecordingDetails: Equatable, Sendable {
  public let monitor: String?
  public let scope: String?
  public let chip: MonitorChip?
  public let shunt: Ohms?
  let window: Seconds?
  public let start: String?
  /// `start` on the board's clock.
  let startOnBoard: BootInstant?
  let host: String?
  let program: String?
  let kernel: String?
  /// The origin: settings, board files, versions. Null if not stated.
  let provenance: JSONValue
  public let kind: String?
  /// In percent.
  public let shuntTolerance: Double?

  static let unknown = RecordingDetails(.null)

  init(_ metadata: JSONValue) {
    func text(_ name: String) -> String? {
      metadata[name]?.string.map { TerminalText.line(String($0.prefix(200))) }
    }
    func positive(_ name: String) -> Double? {
      metadata[name]?.number.flatMap { $0 > 0 ? $0 : nil }
    }
    monitor = text("monitor")
    scope = text("scope")
    chip = metadata["chip"]?.string.flatMap(MonitorChip.init(rawValue:))
    shunt = positive("shunt_mOhm").map { Ohms($0 / 1000) }
    window = positive("window_s").map { Seconds($0) }
    start = text("start_utc")
    startOnBoard = metadata["start_boottime_s"]?.number.flatMap {
      (0..<1e9).contains($0) ? .zero + Seconds($0) : nil
    }
    host = text("host")
    program = text("program")
    kernel = text("kernel")
    provenance = metadata["provenance"] ?? .null
    kind = text("kind")
    shuntTolerance = metadata["shunt_tolerance_percent"]?.number
  }

  /// The largest current that the monitor can measure; nil where its chip or shunt is unknown.
  var range: Amperes? {
    guard let facts = chip?.facts, let resistor = facts.internalShunt ?? shunt else { return nil }
    return facts.shuntRange / resistor
  }

  /// The settings and the board files as text for comparison; nil if not stated.
  var settings: String? {
    guard provenance != .null else { return nil }
    return JSONValue.array([provenance["settings"] ?? .null, provenance["boards"] ?? .null]).text
  }

  /// Has to be the same in runs that are compared: another monitor has other errors.
  public var instrument: String? {
    guard let monitor else { return nil }
    let resistor = shunt.map { " with \(FixedDecimal.text($0.value * 1000, digits: 3)) mΩ" } ?? ""
    return monitor + resistor
  }

  /// Runs that are compared have to have the same board, monitor and settings.
  static func doubts(ofTogether runs: [RecordingDetails]) -> [String] {
    var doubts: [String] = []
    let instruments = Set(runs.compactMap(\.instrument))
    if instruments.count > 1 {
      doubts.append(
        "they were measured by different monitors, whose errors differ: "
          + instruments.sorted().joined(separator: "; "))
    }
    let hosts = Set(runs.compactMap(\.host))
    if hosts.count > 1 {
      doubts.append("they are of different boards (\(hosts.sorted().joined(separator: ", ")))")
    }
    let settings = Set(runs.compactMap(\.settings))
    if settings.count > 1 {
      doubts.append("the settings were changed between them, or other board files were used")
    }
    return doubts
  }
}
