import ArgumentParser
import Formats
import Core
import Platform
import VirtualDevice

/// Options for the output of a simulation's truth.
struct TruthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "File for the true stays of the synthetic days: a JSON array with arrival and departure "
        + "(UTC), lat and lon (degrees) and name of each. An existing file is replaced.",
      valueName: "file"),
    completion: .file())
  var truthStays: String?
  @Option(
    help: ArgumentHelp(
      "File for the true track: a CSV table with a position every 10 s: time (UTC), lat and lon "
        + "(degrees), ele (m), speed (m/s), hacc (m) and sky, and whether it is under way. It can "
        + "be read as a trace. An existing file is replaced.",
      valueName: "file"), completion: .file())
  var truthTrack: String?
  @Option(
    help: ArgumentHelp(
      "File for the score in detail: a CSV table with a line for each true stay and each visit: "
        + "which agree, their errors, and why a stay was missed. Implies --score. An existing "
        + "file is replaced.",
      valueName: "file"), completion: .file())
  var truthTable: String?

  /// The options and their files.
  private var named: [(option: String, path: String)] {
    [
      ("--truth-stays", truthStays), ("--truth-track", truthTrack), ("--truth-table", truthTable),
    ].compactMap { option, path in path.map { (option, $0) } }
  }

  /// The first option of those in use; nil: none is.
  var firstOption: String? { named.first?.option }

  /// Opens the files before anything is computed.
  /// - Parameters:
  ///   - stores: files that neither may replace; nor may they replace the trace or each other.
  ///   - trace: nil for a life.
  func files(beside stores: ProtectedFiles, trace: String?) throws -> TruthFiles {
    guard trace == nil || truthStays == nil else {
      throw CommandError.wrongUsage(
        "--truth-stays: only a life has known stays; a trace has none")
    }
    for (index, file) in named.enumerated() {
      for other in named[..<index] where Self.areSame(other.path, file.path) {
        throw CommandError.wrongUsage(
          "\(other.option) and \(file.option) are the same file \(file.path); name another one")
      }
    }
    return TruthFiles(
      stays: try file(truthStays, "--truth-stays", beside: stores, trace: trace),
      track: try file(truthTrack, "--truth-track", beside: stores, trace: trace),
      table: try file(truthTable, "--truth-table", beside: stores, trace: trace))
  }

  private func file(
    _ path: String?, _ option: String, beside stores: ProtectedFiles, trace: String?
  ) throws -> AtomicFile? {
    guard let path else { return nil }
    try stores.refuse(path, namedBy: option)
    if let trace, Self.areSame(path, trace) {
      throw CommandError.wrongUsage(
        "\(option) \(path): that is the trace of this simulation; name another file")
    }
    return try AtomicFile(path: path)
  }

  private static func areSame(_ path: String, _ other: String) -> Bool {
    if path == other { return true }
    guard let status = FileStatus(path: path), status.kind == .regular else { return false }
    return status.identity == FileIdentity(path: other)
  }
}

/// The files for the truth of one simulation. They appear only when complete.
final class TruthFiles {
  private let staysFile: AtomicFile?
  private let trackFile: AtomicFile?
  private let tableFile: AtomicFile?
  private var track: TruthTrack?
  private var rows: [UInt8] = []
  /// Why a part of the track could not be written.
  private var failure: FileFailure?

  init(stays: AtomicFile?, track: AtomicFile?, table: AtomicFile?) {
    staysFile = stays
    trackFile = track
    tableFile = table
  }

  /// - Parameter truth: not queried before.
  func follow(_ truth: any GroundTruth, shortestStay: Seconds) {
    guard trackFile != nil else { return }
    track = TruthTrack(truth, shortestStay: shortestStay)
    rows = Array(TruthTrack.Point.columns.csvHeading.utf8)
  }

  /// Writes the track until then, so that memory stays bounded.
  func passing(_ time: UTCInstant) {
    guard failure == nil, let points = track?.read(until: time) else { return }
    add(points)
  }

  /// - Parameters:
  ///   - end: of the simulation.
  ///   - stays: until then.
  ///   - scoring: that has ended; nil: there was none.
  func finish(
    at end: UTCInstant, stays: [PlannedStay], scoring: RunScoring?
  ) throws(FileFailure) {
    if let staysFile { try write(stays, to: staysFile) }
    if let tableFile, let table = scoring?.table() {
      try tableFile.write(table.csv)
      try tableFile.commit()
    }
    guard let trackFile, track != nil else { return }
    passing(end)
    if let points = track?.finish() { add(points) }
    if let failure { throw failure }
    try trackFile.write(rows)
    try trackFile.commit()
  }

  private func add(_ points: [TruthTrack.Point]) {
    for point in points { TruthTrack.Point.columns.append(point, toCSV: &rows) }
    guard rows.count > OutputBytes.flushThreshold, let trackFile else { return }
    do throws(FileFailure) {
      try trackFile.write(rows)
    } catch {
      failure = error
    }
    rows.removeAll(keepingCapacity: true)
  }

  private func write(_ stays: [PlannedStay], to file: AtomicFile) throws(FileFailure) {
    let array = stays.map { stay in
      JSONValue.object([
        ("arrival", .string(ISO8601.text(stay.arrival))),
        ("departure", .string(ISO8601.text(stay.departure))),
        ("lat", .rounded(stay.place.position.latitude.value, digits: 7)),
        ("lon", .rounded(stay.place.position.longitude.value, digits: 7)),
        ("name", .string(stay.place.name)),
      ])
    }
    try file.write(Array((JSONValue.array(array).text + "\n").utf8))
    try file.commit()
  }
}

extension TruthTrack.Point {
  /// A trace's `hacc` implies the reception, so this one's does, too: read back, it has the same
  /// reception.
  static let columns = Columns<TruthTrack.Point>([
    .time("time", csv: "time") { $0.time },
    .number("lat", digits: 7, csv: "lat") { $0.state.position.latitude.value },
    .number("lon", digits: 7, csv: "lon") { $0.state.position.longitude.value },
    .number("altitude_m", digits: 1, csv: "ele") { $0.state.altitude.value },
    .number("speed_m_s", digits: 2, csv: "speed") { $0.state.speed.value },
    .number("accuracy_m", digits: 0, csv: "hacc") { $0.state.reception.typicalAccuracy.value },
    .text("sky", csv: "sky") { "\($0.state.reception)" },
    .flag("under_way", csv: "under_way") { $0.isUnderWay },
  ])
}

extension Reception {
  /// An accuracy that implies this reception (`TraceTruth`: up to 25 m, up to 100 m, above).
  fileprivate var typicalAccuracy: Metres {
    switch self {
    case .open: 5
    case .street: 50
    case .indoors, .none: 200
    }
  }
}
