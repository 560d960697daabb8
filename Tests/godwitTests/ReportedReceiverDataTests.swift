import Core
import TestSupport
import Testing

/// Receiver logs of other users.
@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedReceiverDataTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  struct Decoded: CustomTestStringConvertible, Sendable {
    let name: String
    /// Nil: the log is refused.
    var fixes: Int?
    var void = 0
    /// Its output, statistics and messages included.
    var says: [String] = []

    var testDescription: String { name }
  }

  static let decoded: [Decoded] = [
    .init(name: "01-airmar-gsv-empty.nmea", fixes: 6, says: [#""nSat":10"#]),
    .init(name: "02-m10-gsv-per-signal.nmea", fixes: 3, says: [#""nSat":10"#]),
    .init(name: "03-l76k-empty.nmea", void: 3, says: [#"{"class":"TPV","mode":1,"hdop""#]),
    .init(name: "06-ubx-gnssfixok0.ubx", fixes: 60),
    .init(name: "07-ubx-invalidllh.ubx", fixes: 5, void: 5),
    .init(name: "09-void-with-date.nmea", void: 2, says: ["2025-11-01T14:46:02"]),
    .init(name: "10-glued.nmea", fixes: 1, says: [#""bad_checksums":1"#]),
    .init(name: "14-leap-second.nmea", fixes: 3, says: ["2017-01-01T00:00:00"]),
    .init(name: "15-gga-text-quality.nmea", fixes: 0, says: [#""malformed_fields":1"#]),
    .init(name: "16-line-ends-cr.nmea", fixes: 100),
    .init(name: "16-line-ends-crcrlf.nmea", fixes: 4),
    .init(name: "16-line-ends-esc.nmea", fixes: 4),
    .init(name: "16-line-ends-none.nmea", fixes: 4),
    // Its RMC are 0.8 s later than its GGA: these are separate epochs.
    .init(name: "141-gga-rmc-different-fraction.nmea", fixes: 12),
    .init(name: "142-gnsslogger.txt", fixes: 5), .init(name: "144-prefix-timestamps.log", fixes: 5),
    .init(name: "145-checksum-one-digit.nmea", fixes: 40),
    .init(name: "147-noise.nmea", fixes: 5, says: [#""bad_checksums":5"#]),
    .init(name: "148-frozen.nmea", fixes: 1, says: [#""repeated_epochs":5"#]),
    .init(name: "150-gga-odd.nmea", fixes: 7),
    .init(name: "200-pvt-nano-negative.ubx", fixes: 4, says: ["T08:00:00.000Z", "T08:00:03.000Z"]),
    .init(name: "206-gpsd-odd.json", fixes: 5, void: 5, says: [#""bad_json":2"#]),
    .init(name: "240-utf16.nmea", says: ["UTF-16"]),
    .init(name: "244-tagblock.nmea", fixes: 5),
    .init(name: "270-atgm-full-cycle.nmea", fixes: 4, says: [#""nSat":8"#]),
    .init(name: "271-gsv-one-sequence.nmea", fixes: 4, says: [#""nSat":5"#]),
  ]

  @Test("the fixes are those of the log", arguments: decoded)
  func decode(row: Decoded) throws {
    let found = try Program.run("decode", ReportedFiles.path(row.name), "--stats")
    let lines = found.output.split(separator: "\n")
    let void = lines.count { $0.contains(#""mode":1"#) }
    let isRefused = row.fixes == nil && row.void == 0
    #expect((found.exitCode == 1) == isRefused, "\(found.messages)")
    #expect(lines.count - void == row.fixes ?? 0 && void == row.void, "\(found.output)")
    for words in row.says {
      #expect((found.output + found.messages).contains(words), "\(found.output) \(found.messages)")
    }
  }

  struct Replayed: CustomTestStringConvertible, Sendable {
    let name: String
    /// Nil: the log is refused.
    var visits: [String]?
    var accepted = 0
    var told = ""
    /// The messages of simulate where it refuses the log.
    var simulated: String?

    var testDescription: String { name }
  }

  private static let stays = ["05-01 08:00-08:20", "05-01 08:20-08:40"]

  static let replayed: [Replayed] = [
    .init(name: "04-at-cgnssinfo.log", told: "no position", simulated: "no position"),
    .init(name: "140-gga-only.nmea", told: "no date: GGA and GLL", simulated: "no date"),
    .init(name: "146-no-checksum.nmea", told: "has a checksum", simulated: "has a checksum"),
    .init(
      name: "192-gpsd-two-devices.json", visits: ["05-01 08:00-08:40"], accepted: 80,
      told: "does it contain two receivers?", simulated: "two receivers"),
    .init(
      name: "193-two-receivers.nmea", visits: ["05-01 08:00-08:40"], accepted: 80,
      told: "does it contain two receivers?", simulated: "two receivers"),
    .init(name: "204-pvt-1980.ubx", visits: [], accepted: 1),
    .init(name: "174-gpsd-with-log.json", visits: ["05-01 08:00-08:20"], accepted: 40),
    .init(
      name: "77-nmea-mid-plus1day.nmea", visits: stays, accepted: 238,
      told: "skipped 1 wrong date, contradicted by those before and after, the first: fix 61,"),
    .init(
      name: "77-nmea-first20-plus1024w.nmea", visits: stays, accepted: 239,
      told: "corrected 20 first dates"),
  ]

  @Test("its track is that of the log, or the cause is reported", arguments: replayed)
  func replay(row: Replayed) throws {
    let found = try ReplayedVisits(["replay"], ReportedFiles.path(row.name), in: scratch)
    #expect((found.exitCode == 1) == (row.visits == nil), "\(found.messages)")
    #expect(found.are(row.visits ?? []), "\(found.text)")
    #expect(row.told.isEmpty || found.messages.contains(row.told), "\(found.messages)")
    if row.visits != nil {
      #expect(found.summary?["fixes_accepted"]?.integer == row.accepted)
      #expect(found.summary?["duration_s"]?.number ?? .infinity < 3600)
    }
    guard let words = row.simulated else { return }
    let run = try ReplayedVisits(["simulate"], ReportedFiles.path(row.name), in: scratch)
    #expect(run.exitCode == 1 && run.messages.contains(words), "\(run.messages)")
  }
}
