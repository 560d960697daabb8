import Core
import GNSS
import Testing

/// Godwit's fixes from the recordings of gpsd's regression tests agree with gpsd's.
@Suite(.enabled(if: RecordedData.isPresent, RecordedData.absence))
struct GpsdConformanceTests {
  /// The compared parts of a fix.
  struct Report {
    var time: String?
    var mode: Int
    var latitude: Double?
    var longitude: Double?

    func isAt(_ other: Report) -> Bool {
      guard let latitude, let longitude, let b = other.latitude, let l = other.longitude else {
        return false
      }
      return abs(latitude - b) <= 1e-7 && abs(longitude - l) <= 1e-7
    }
  }

  @Test(
    "fixes agree with gpsd's, except for differences with a known reason",
    arguments: RecordedData.gpsdLogs)
  func agreesWithGpsd(log: String) throws {
    let ours = Self.ours(log: try RecordedData.bytes("gpsd-logs/\(log)"))
    let gpsd = try Self.gpsd(log: log)
    let byTime = Dictionary(grouping: gpsd, by: \.time)
    let undated = byTime[nil] ?? []
    var found = GpsdDifference(reason: .endsInsideCycle)

    for fix in ours where fix.mode > 1 {
      guard let reports = byTime[fix.time] else {
        // Before the date is known, gpsd reports the same fix without a time.
        if !undated.contains(where: { $0.mode == fix.mode && $0.isAt(fix) }) { found.extra += 1 }
        continue
      }
      if reports.contains(where: { $0.mode == fix.mode && $0.isAt(fix) }) { continue }
      if reports.contains(where: { $0.isAt(fix) }) { found.mode += 1 } else { found.position += 1 }
    }
    let fixed = Set(ours.filter { $0.mode > 1 }.map(\.time))
    for (time, reports) in byTime
    where time != nil && !fixed.contains(time) && reports.contains(where: { $0.mode > 1 }) {
      found.missing += 1
    }

    let allowed = GpsdDifference.all[log]
    let reason = allowed?.reason.rawValue ?? "none is known"
    #expect(found.extra == allowed?.extra ?? 0, "fixes that gpsd has not; \(reason)")
    #expect(found.missing == allowed?.missing ?? 0, "fixes that only gpsd has; \(reason)")
    #expect(found.mode == allowed?.mode ?? 0, "other modes; \(reason)")
    #expect(found.position == allowed?.position ?? 0, "other places; \(reason)")
  }

  /// gpsd accepts sentences without a checksum. In logs without them, strictness loses nothing.
  @Test("requiring checksums loses only sentences without one", arguments: RecordedData.gpsdLogs)
  func strictnessCostsOnlyWhatLacksAChecksum(log: String) throws {
    let bytes = try RecordedData.bytes("gpsd-logs/\(log)")
    let strict = Line.decoded(bytes)
    #expect(strict.counters.missingChecksums == GpsdDifference.missingChecksums[log] ?? 0)
    if GpsdDifference.missingChecksums[log] == nil {
      let lenient = Line.decoded(bytes, options: .init(acceptsMissingChecksums: true))
      let isSame = strict.fixes == lenient.fixes
      #expect(isSame)
    }
  }

  /// gpsd's reports, decoded from its JSON, give the fixes in the JSON.
  @Test("each report of gpsd becomes its fix", arguments: RecordedData.gpsdLogs)
  func readsGpsdsReports(log: String) throws {
    let lines = try RecordedData.lines("gpsd-logs/\(log).chk")
      .filter { $0.first == UInt8(ascii: "{") }
    let (fixes, counters) = Line.decoded(Array(lines.joined(separator: "\n".utf8)) + [10])
    #expect(counters.badJSON == 0)
    #expect(Int(counters.gpsdReports) == lines.count)
    let reports = try Self.gpsd(log: log)
    let voids = reports.count { $0.mode < 2 || $0.latitude == nil }
    #expect(fixes.count { $0.mode == .none } == voids)
    #expect(
      fixes.count + Int(counters.repeatedEpochs) == reports.count, "each report has its fate")
    let known = Set(reports.map { "\($0.time ?? "-") \($0.latitude ?? 0) \($0.longitude ?? 0)" })
    for fix in fixes {
      guard let position = fix.position else { continue }
      let time = fix.time.map { ISO8601.text($0) } ?? "-"
      #expect(known.contains("\(time) \(position.latitude.value) \(position.longitude.value)"))
    }
  }

  /// Unknown protocols are not misread.
  @Test("unknown protocols give no fix", arguments: RecordedData.foreignLogs)
  func foreignLanguagesGiveNoFix(log: String) throws {
    let (fixes, counters) = Line.decoded(try RecordedData.bytes("gpsd-logs/\(log)"))
    #expect(fixes.isEmpty)
    #expect(counters.ubxFrames == 0)
  }

  private static func ours(log bytes: [UInt8]) -> [Report] {
    Line.decoded(bytes, options: .init(acceptsMissingChecksums: true)).fixes.map { fix in
      Report(
        time: fix.time.map { ISO8601.text($0) }, mode: fix.mode.rawValue,
        latitude: fix.position?.latitude.value, longitude: fix.position?.longitude.value)
    }
  }

  private static func gpsd(log: String) throws -> [Report] {
    try RecordedData.lines("gpsd-logs/\(log).chk")
      .filter { $0.starts(with: #"{"class":"TPV""#.utf8) }
      .map { line in
        let json = try JSONValue(parsing: line)
        return Report(
          time: json["time"]?.string, mode: json["mode"]?.integer ?? 0,
          latitude: json["lat"]?.number, longitude: json["lon"]?.number)
      }
  }
}
