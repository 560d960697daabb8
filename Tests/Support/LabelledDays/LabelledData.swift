import Formats
import Foundation
import Core
import RealData
import Analysis

/// The labelled traces.
public struct LabelledData: Sendable {
  /// Shorter stays do not count.
  public static let minStay: Seconds = 300
  public static let isPresent = RealData.has("trajectories/\(DataSet.utrecht.rawValue)")
  public static let absence = RealData.absence(of: "trajectories")

  public static func folder(of set: DataSet) -> URL {
    URL(fileURLWithPath: "\(RealData.folder)/trajectories/\(set.rawValue)")
  }

  public static func days(of set: DataSet) throws -> [LabelledDay] {
    switch set {
    case .utrecht: try utrechtDays()
    case .mobilityNet: try mobilityNetDays()
    }
  }

  static func samples(_ file: URL) throws -> [TraceSample] {
    try TraceReader.samples(of: Array(Data(contentsOf: file)), as: .csv)
  }

  /// The rows of a table without quoted commas, each by the names of its columns.
  static func table(_ file: URL) throws -> [[String: String]] {
    let lines = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline)
    let names = lines.first?.split(separator: ",", omittingEmptySubsequences: false) ?? []
    return lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      return Dictionary(
        zip(names, fields).map { (String($0), String($1)) }, uniquingKeysWith: { $1 })
    }
  }

  /// Phones that lay still for the whole recording, with every setting of their sensing.
  public static func stillRecordings() throws -> [(name: String, samples: [TraceSample])] {
    let locations = folder(of: .mobilityNet).appendingPathComponent("locations")
    return try FileManager.default.contentsOfDirectory(atPath: locations.path).sorted()
      .filter { $0.contains("stationary") }
      .map { ($0, try samples(locations.appendingPathComponent($0))) }
  }

  // MARK: - Utrecht: travel diaries

  private static func utrechtDays() throws -> [LabelledDay] {
    let folder = folder(of: .utrecht)
    let rows = try table(folder.appendingPathComponent("stops_from_diary.csv"))
    let byDay = Dictionary(grouping: rows) { $0["user_day"] ?? "" }
    return try byDay.keys.sorted().map { name in
      let file = folder.appendingPathComponent("\(name).csv")
      var day = LabelledDay(name: name, samples: try samples(file), stays: [], unscored: [])
      for row in byDay[name] ?? [] {
        guard let start = row["start"].flatMap(instant), let end = row["end"].flatMap(instant)
        else { continue }
        let stop = Interval(start, end)
        if row["verdict"] != "consistent" {
          day.unscored.append(stop)
        } else if stop.length >= minStay {
          day.stays.append(stop)
        }
      }
      day.moving = try moving(file)
      return day
    }
  }

  /// The periods for which the diary names a mode of travel.
  private static func moving(_ file: URL) throws -> [Interval] {
    var found: [Interval] = []
    var isMoving = false
    for row in try table(file) {
      guard let time = row["timestamp"].flatMap(instant) else { continue }
      let moves = row["stop"] == "FALSE"
      if moves, isMoving, let last = found.indices.last {
        found[last].end = time
      } else if moves {
        found.append(Interval(time, time))
      }
      isMoving = moves
    }
    return found.filter { $0.length.value > 0 }
  }

  private static func instant(_ text: String) -> UTCInstant? {
    ISO8601.parse(text)
  }

  // MARK: - MobilityNet: scripted days

  private static func mobilityNetDays() throws -> [LabelledDay] {
    let folder = folder(of: .mobilityNet)
    let truth = try table(folder.appendingPathComponent("truth.csv"))
    let runs = Dictionary(grouping: truth) { $0["run"] ?? "" }
    let locations = folder.appendingPathComponent("locations")
    let files = try FileManager.default.contentsOfDirectory(atPath: locations.path).sorted()
    return try files.compactMap { file in
      // TIMELINE__PHONE__START_END.csv
      let parts = file.dropLast(4).components(separatedBy: "__")
      let times = parts.last?.split(separator: "_").compactMap { Double($0) } ?? []
      guard parts.count == 3, times.count == 2 else { return nil }
      let recorded = Interval(UTCInstant(seconds: times[0]), UTCInstant(seconds: times[1]))
      let run = runs.values.first { rows in
        rows.contains {
          $0["timeline"] == parts[0] && $0["level"] == "period"
            && interval($0).overlap(recorded) > recorded.length * 0.5
        }
      }
      guard let run else { return nil }
      let samples = try samples(locations.appendingPathComponent(file))
      guard let first = samples.map(\.time).min(), let last = samples.map(\.time).max() else {
        return nil
      }
      // What happened before and after the phone's recording is not scored.
      let seen = Interval(max(first, recorded.start), min(last, recorded.end))
      return mobilityNetDay(String(file.dropLast(4)), samples, run, seen)
    }
  }

  private static func mobilityNetDay(
    _ name: String, _ samples: [TraceSample], _ run: [[String: String]], _ recorded: Interval
  ) -> LabelledDay {
    var day = LabelledDay(name: name, samples: samples, stays: [], unscored: [])
    for row in run {
      let stretch = interval(row)
      let clipped = Interval(max(stretch.start, recorded.start), min(stretch.end, recorded.end))
      switch row["level"] {
      case "dwell" where clipped.length >= minStay: day.stays.append(clipped)
      case "dwell" where stretch.length >= minStay: day.unscored.append(stretch)
      case "section" where row["section_type"] == "WAITING": day.unscored.append(stretch)
      case "trip": day.moving.append(clipped)
      case "period":
        // Before and after the script the phones' position was not recorded.
        let long = Seconds.days(30)
        day.unscored.append(Interval(clipped.start - long, clipped.start))
        day.unscored.append(Interval(clipped.end, clipped.end + long))
      default: break
      }
    }
    return day
  }

  private static func interval(_ row: [String: String]) -> Interval {
    func time(_ name: String) -> UTCInstant {
      UTCInstant(seconds: row[name].flatMap(Double.init) ?? 0)
    }
    return Interval(time("start_ts"), time("end_ts"))
  }
}
