import Foundation
import Core
import GNSS
import TestSupport
import Testing

@testable import godwit

/// The messages of `replay` and `simulate` on faulty files.
@Suite struct TraceFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func file(_ name: String, _ text: String) throws -> String {
    try scratch.write(text, to: name)
    return scratch.file(name)
  }

  /// Twenty minutes at A, five under way, twenty at B, a position every half minute.
  private static func positions(
    _ row: (_ time: String, _ latitude: Double) -> String, day: Int = 1
  ) -> [String] {
    (0..<90).map { index in
      let minutes = index / 2
      let time =
        "2026-05-0\(day)T08:\(minutes < 10 ? "0" : "")\(minutes):\(index % 2 == 0 ? "00" : "30")"
      return row(time, 52.1 + Double(min(max(index - 40, 0), 10)) / 1000)
    }
  }

  private static func table(_ rows: [String]) -> String {
    "time,lat,lon\n" + rows.joined(separator: "\n") + "\n"
  }

  private static let rows = positions({ time, latitude in "\(time)Z,\(latitude),5.1" })
  private static let stays = ["05-01 08:00-08:20", "05-01 08:25-08:44"]

  @Test(
    "a single wrong date is skipped and reported, wherever it is",
    arguments: ["replay", "simulate"])
  func loneWrongDates(command: String) throws {
    for (index, date) in [
      (0, "1970-01-01T00:00:00"), (0, "2039-01-01T00:00:00"), (45, "2039-01-01T00:00:00"),
      (45, "2026-05-01T10:00:00"), (89, "2039-01-01T00:00:00"),
    ] {
      var rows = Self.rows
      rows[index] = "\(date)Z,52.1,5.1"
      let trace = try file("dates.csv", Self.table(rows))
      let found = try ReplayedVisits([command], trace, in: scratch)
      #expect(found.exitCode == 0)
      #expect(
        found.messages.contains("skipped 1 wrong date")
          && found.messages.contains("line \(index + 2),"),
        "\(found.messages)")
      #expect(found.summary?["duration_s"]?.number ?? .infinity < 3600)
      if command == "replay" { #expect(found.are(Self.stays), "\(found.text)") }
    }
  }

  @Test("the handling of a trace's gaps is reported") func toldHoles() throws {
    // A pause of ten minutes at A, and another during which it moves from B to 100 km away.
    let rows =
      Self.rows.prefix(20) + Self.rows.suffix(50)
      + ["2026-05-01T12:00:00Z,53,5.1", "2026-05-01T12:00:30Z,53,5.1"]
    let trace = try file("holes.csv", Self.table(Array(rows)))
    let found = try ReplayedVisits(["simulate"], trace, in: scratch)
    #expect(found.exitCode == 0, "\(found.messages)")
    let summary = try #require(found.summary)
    #expect(summary["holes_taken_for_stays"]?.integer == 1)
    #expect(summary["holes_taken_for_stays_s"]?.number == 630)
    #expect(summary["holes_unknown"]?.integer == 1)
    #expect(summary["holes_unknown_s"]?.number == 11_730)
    let run = try Program.run([
      "simulate", trace, "--policy", "adaptive", "--store", scratch.file("text.gpkg"),
    ])
    #expect(run.output.contains("1 hole of the trace, 11 min in all, counts as rest"))
    #expect(run.output.contains("where the board was in 1 hole of the trace, 3 h 16 min in all"))
  }

  @Test("several individuals are refused until one is chosen") func individuals() throws {
    let other = Self.positions({ time, latitude in "b,\(time)Z,\(latitude + 1),6.1" })
    let both = zip(Self.rows.map { "a,\($0)" }, other).flatMap { [$0, $1] }
    let table = try file("two.csv", "uid,time,lat,lon\n" + both.joined(separator: "\n"))
    func point(_ time: String, _ latitude: Double) -> String {
      "<trkpt lat='\(latitude)' lon='5.1'><time>\(time)Z</time></trkpt>"
    }
    let tracks = [("a", 0.0), ("b", 1.0)].map { name, north in
      "<trk><name>\(name)</name><trkseg>"
        + Self.positions({ point($0, $1 + north) }).joined() + "</trkseg></trk>"
    }
    let gpx = try file("two.gpx", "<gpx>" + tracks.joined() + "</gpx>")
    for trace in [table, gpx] {
      for command in ["replay", "simulate"] {
        let refused = try ReplayedVisits([command], trace, in: scratch)
        #expect(refused.exitCode == 1 && refused.messages.contains("--individual"))
        #expect(refused.messages.contains("'a', 'b'"), "\(refused.messages)")
        let unknown = try ReplayedVisits([command, "--individual", "c"], trace, in: scratch)
        #expect(unknown.exitCode == 1 && unknown.messages.contains("no individual or track 'c'"))
      }
      let chosen = try ReplayedVisits(["replay", "--individual", "a"], trace, in: scratch)
      #expect(chosen.are(Self.stays), "\(chosen.text) \(chosen.messages)")
      #expect(chosen.messages.contains("left out 90 positions of other individuals"))
    }
  }

  @Test("a gap of weeks is refused unless requested, and one of days is reported")
  func holes() throws {
    func trace(_ day: Int, month: String) throws -> String {
      let later = Self.positions({ "\($0)Z,\($1),5.1" }, day: day).map {
        $0.replacingOccurrences(of: "2026-05", with: "2026-\(month)")
      }
      return try file("hole.csv", Self.table(Self.rows + later))
    }
    let simulate = ["simulate", "--policy", "periodic"]
    let long = try trace(1, month: "06")
    let refused = try ReplayedVisits(simulate, long, in: scratch)
    #expect(refused.exitCode == 1 && refused.messages.contains("--through-holes"))
    #expect(refused.messages.contains("of 30 days from 2026-05-01T08:44:30Z"))
    let through = try ReplayedVisits(simulate + ["--through-holes"], long, in: scratch)
    #expect(through.exitCode == 0 && through.summary?["duration_s"]?.number ?? 0 > 2_500_000)
    let short = try ReplayedVisits(simulate, try trace(8, month: "05"), in: scratch)
    #expect(short.exitCode == 0)
    #expect(short.messages.contains("180 positions from 2026-05-01T08:00:00Z"))
    #expect(short.messages.contains("1 hole of more than a day, the longest of 6 days"))
    // Whether it was a stay is unknown.
    #expect(short.visits.first?.departure != nil, "\(short.text)")
  }

  @Test("replay counts only what was recorded as time with GNSS on") func recordedTime() throws {
    let trace = try file(
      "days.csv", Self.table(Self.rows + Self.positions({ "\($0)Z,\($1),5.1" }, day: 2)))
    let found = try ReplayedVisits(["replay"], trace, in: scratch)
    #expect(found.summary?["gnss_on_s"]?.number == 5340)
    #expect(found.summary?["duration_s"]?.number == 89_070)
  }

  @Test("the assumed reception is reported, and can be chosen") func skies() throws {
    let trace = try file("sky.csv", Self.table(Self.rows))
    var energies: [Double] = []
    for sky in ["open", "indoors-at-rest"] {
      let found = try ReplayedVisits(
        ["simulate", "--policy", "periodic", "--sky", sky], trace, in: scratch)
      #expect(found.messages.contains("the view of the sky is assumed \(sky) (--sky)"))
      #expect(found.summary?["sky"]?.string == "assumed \(sky)")
      #expect(found.summary?["provenance"]?["sky"]?.string == "assumed \(sky)")
      energies.append(try #require(found.summary?["gnss_energy_J"]?.number))
    }
    #expect(energies[1] > energies[0])
    let known = Self.rows.map { "\($0),5" }.joined(separator: "\n")
    let told = try file("hacc.csv", "time,lat,lon,hacc\n" + known)
    let found = try ReplayedVisits(["simulate", "--policy", "periodic"], told, in: scratch)
    #expect(!found.messages.contains("sky") && found.summary?["sky"] == JSONValue.null)
  }

  @Test("a file without results fails with the reason, with exit code 1")
  func causesOfNothing() throws {
    let sentences = (0..<40).map { second in
      Self.sentence("GNGGA,0800\(second + 10).00,5206.0,N,00506.0,E,1,09,0.9,12.3,M,41.0,M,,")
    }
    let minimum = sentences.map { String($0.prefix { $0 != "*" }) }
    let utf16 = "time,lat,lon\n2026-05-01T08:00:00Z,52,5\n".utf16.flatMap { [$0 & 0xFF, $0 >> 8] }
    try Data(utf16.map { UInt8($0) }).write(to: URL(fileURLWithPath: scratch.file("wide.csv")))
    let constant = Self.positions({ "2026-05-01T08:00:00Z,\($1 + Double($0.count) / 1e5),5.1" })
      .enumerated().map { "\($1)\($0)" }
    for (trace, words) in [
      (try file("gga.nmea", sentences.joined()), "have no date: GGA and GLL"),
      (
        try file("bare.nmea", minimum.joined(separator: "\r\n") + "\r\n"),
        "receiver.accept_missing_checksums=true"
      ),
      (scratch.file("wide.csv"), "it is UTF-16 text"),
      (try file("still.csv", Self.table(constant)), "have only 1 time"),
      (try file("names.csv", "when,where,lon\n1,2,3\n"), "the first line is \"when,where,lon\""),
    ] {
      for command in ["replay", "simulate"] {
        let found = try ReplayedVisits([command], trace, in: scratch)
        #expect(found.exitCode == 1 && found.messages.contains(words), "\(found.messages)")
      }
    }
  }

  static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(0, ^)
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
  }

  @Test("the repeated hour is shown with its zone") func summerTimesEnd() throws {
    // A stay from half past two to half past two, an hour, and a departure.
    let rows = (0..<80).map { minute in
      let hour = (30 + minute) / 60
      let rest = (30 + minute) % 60
      return "2026-10-25T0\(hour):\(rest < 10 ? "0" : "")\(rest):00Z,"
        + "\(52.1 + Double(max(minute - 60, 0)) / 200),5.1"
    }
    let store = scratch.file("zone.gpkg")
    let trace = try file("zone.csv", Self.table(rows))
    #expect(try Program.run("replay", trace, "--store", store).exitCode == 0)
    let zone = ["TZ": "CET-1CEST,M3.5.0,M10.5.0/3"]
    let table = try Program.run(["visits", "--store", store], environment: zone).output
    #expect(table.contains("2026-10-25 02:30:00 CEST"), "\(table)")
    #expect(table.contains("02:30:00 CET") || table.contains("02:30 CET"), "\(table)")
    let points = try Program.run(["track", "--store", store], environment: zone).output
      .split(separator: "\n").filter { $0.contains(" CE") }
    let columns = points.compactMap { line in
      line.firstRange(of: "52.").map { line.distance(from: line.startIndex, to: $0.lowerBound) }
    }
    #expect(columns.count > 5 && Set(columns).count == 1, "\(points)")
    let utc = try Program.run(["visits", "--store", store], environment: ["TZ": "UTC"]).output
    #expect(utc.contains("2026-10-25 00:30:00") && !utc.contains("UTC"), "\(utc)")
  }

  @Test("a wrong date of a receiver is skipped, and initial ones that it corrects are corrected")
  func receiversDates() throws {
    func recording(_ date: (Int) -> String) -> String {
      (0..<120).map { index in
        let clock = "08\(index / 6 < 10 ? "0" : "")\(index / 6)\(index % 6)0.00"
        return Self.sentence("GNRMC,\(clock),A,5206.0000,N,00506.0000,E,0.1,,\(date(index)),,,A")
      }.joined()
    }
    for (name, date, words) in [
      ("ahead", { $0 == 60 ? "020526" : "010526" }, "skipped 1 wrong date"),
      ("behind", { $0 == 60 ? "150906" : "010526" }, "skipped 1 wrong date"),
      ("first", { $0 < 20 ? "151245" : "010526" }, "corrected 20 first dates"),
      ("tomorrow", { $0 < 20 ? "020526" : "010526" }, "corrected 20 first dates"),
      ("years", { $0 < 90 ? "010539" : "010526" }, "corrected 90 first dates"),
    ] as [(String, (Int) -> String, String)] {
      let found = try ReplayedVisits(
        ["replay"], try file("\(name).nmea", recording(date)), in: scratch)
      #expect(found.messages.contains(words), "\(found.messages)")
      #expect(found.are(["05-01 08:00-08:20"]), "\(name): \(found.text)")
      #expect(found.summary?["duration_s"]?.number == 1190)
    }
  }

  @Test("a date before there is a position does not move the replay's clock")
  func clockBeforePosition() throws {
    let clocks = ["060180", "010100", "010139"].map { date in
      (0..<3).map { Self.sentence("GNRMC,00000\($0).00,V,,,,,,,\(date),,,N") }.joined()
    }
    let fixes = (0..<120).map { index in
      let minute = index / 6
      let clock = "08\(minute < 10 ? "0" : "")\(minute)\(index % 6)0.00"
      return Self.sentence("GNRMC,\(clock),A,5206.0000,N,00506.0000,E,0.1,,010526,,,A")
    }
    for (index, clock) in clocks.enumerated() {
      for recording in [
        clock + fixes.joined(),
        fixes[..<60].joined() + clock + fixes[60...].joined(),
      ] {
        let found = try ReplayedVisits(
          ["replay"], try file("clock\(index).nmea", recording), in: scratch)
        #expect(found.summary?["duration_s"]?.number == 1190)
        #expect(found.are(["05-01 08:00-08:20"]), "\(found.text)")
      }
    }
  }

  @Test("the data of two receivers is not used as one track", arguments: ["csv", "json"])
  func twoReceivers(ending: String) throws {
    let rows = (0..<90).map { index -> String in
      let minute = index / 2
      let time =
        "2026-05-01T08:\(minute < 10 ? "0" : "")\(minute):\(index % 2 == 0 ? "00" : "30")Z"
      let latitude = index % 2 == 0 ? 52.1 : 52.2
      return ending == "csv"
        ? "\(time),\(latitude),5.1"
        : #"{"class":"TPV","mode":3,"time":"\#(time)","lat":\#(latitude),"lon":5.1}"#
    }
    let text = (ending == "csv" ? ["time,lat,lon"] : []) + rows
    let trace = try file("two.\(ending)", text.joined(separator: "\n") + "\n")
    let run = try ReplayedVisits(["simulate"], trace, in: scratch)
    #expect(run.exitCode == 1 && run.messages.contains("89 of its 90 positions"), "\(run.messages)")
    let found = try ReplayedVisits(["replay"], trace, in: scratch)
    #expect(found.messages.contains("two receivers"), "\(found.messages)")
    #expect(found.exitCode == (ending == "csv" ? 1 : 0))
  }

  @Test("a packed file is refused with the remedy") func packed() throws {
    for (name, head) in [("a.gpx", [0x1F, 0x8B, 8, 0]), ("b.csv", [0x50, 0x4B, 3, 4])] {
      let path = scratch.file(name)
      try Data(head.map(UInt8.init)).write(to: URL(fileURLWithPath: path))
      for command in [["decode", path], ["replay", path, "--store", scratch.file("p.gpkg")]] {
        let found = try Program.run(command)
        #expect(found.exitCode == 1 && found.messages.contains("it is packed"))
      }
    }
  }

  @Test("a long file is read twice, to its last position") func longFiles() throws {
    let path = try file("long.csv", Self.table(Self.rows))
    let trace = try TraceFile(path, decoderOptions: DecoderOptions(), mostKept: 50)
    #expect(try trace.prepare(individual: nil, now: nil).positions == 90)
    var count = 0
    while trace.nextSample() != nil { count += 1 }
    #expect(count == 90 && trace.failure == nil)
  }
}
