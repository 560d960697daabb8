import Foundation
import RealData
import TestSupport
import Testing

/// Files with what other programs' users have complained of, each with its right value.
@Suite(
  .enabled(if: RealData.has("reports"), Comment(rawValue: RealData.absence(of: "reports"))))
struct ReportedFilesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Twenty minutes at A, five under way, twenty at B.
  static let bothStays = ["05-01 08:00-08:20", "05-01 08:25-08:44"]
  static let twoDays = bothStays + ["05-02 08:00-08:20", "05-02 08:25-08:44"]
  static let long = ["05-01 08:00-09:00", "05-01 09:10-10:10"]
  static let oneStay = ["05-01 08:00-08:20"]

  private func path(_ name: String) -> String { RealData.folder + "/reports/" + name }

  @Test(
    "the visits are those of the file",
    arguments: [
      ("20-plain.csv", bothStays), ("21-movebank.csv", bothStays), ("22-traccar.csv", bothStays),
      ("23-trackintel.csv", bothStays), ("25-date-time-two.csv", bothStays),
      ("27-gpslogger.csv", bothStays), ("28-semicolon-comma.csv", bothStays),
      ("29-epoch-ms.csv", bothStays), ("32-offset.csv", bothStays), ("33-sci.csv", bothStays),
      ("34-bom.csv", bothStays), ("37-quoted-header.csv", bothStays), ("41-nozone.gpx", bothStays),
      ("42-offset-nocolon.gpx", bothStays), ("44-nosec.gpx", bothStays),
      ("47-mixed-frac.gpx", bothStays), ("51-latin1.gpx", bothStays), ("52-bom.gpx", bothStays),
      ("54-nbsp.gpx", bothStays), ("60-ext-time.gpx", bothStays), ("61-two-docs.gpx", twoDays),
      ("62-reverse.gpx", bothStays), ("63-overlap.gpx", bothStays), ("72-ele-0.csv", bothStays),
      ("72-ele-11.csv", bothStays), ("73-acc-0.csv", bothStays), ("73-acc-3.csv", bothStays),
      ("74-first-1970.csv", bothStays), ("74-first-2000.csv", bothStays),
      ("74-first-2025.csv", bothStays), ("75-first-2039.csv", bothStays),
      ("75-mid-1970.csv", bothStays), ("75-mid-2039.csv", bothStays),
      ("80-gpscorrelate-2043.gpx", bothStays), ("81-osmand-year0.gpx", bothStays),
      ("82-outrun-cumulative.gpx", bothStays), ("83-newest-track-first.gpx", twoDays),
      ("160-owntracks.rec", oneStay), ("161-owntracks.json", oneStay),
      ("163-google-timeline.json", oneStay), ("165-track.geojson", oneStay),
      ("169-ozi.plt", oneStay), ("174-gpsd-with-log.json", oneStay),
      ("230-glitch-forward-10min.csv", long), ("230-glitch-forward-1h.csv", long),
      ("230-glitch-forward-6h.csv", long), ("230-glitch-forward-1d.csv", long),
      ("230-glitch-forward-30d.csv", long),
    ])
  func visits(name: String, expected: [String]) throws {
    let found = try ReplayedVisits(["replay"], path(name), in: scratch)
    #expect(found.exitCode == 0, "\(found.messages)")
    #expect(found.are(expected), "\(found.text) \(found.messages)")
  }

  @Test(
    "what gives nothing is refused with its reason",
    arguments: [
      ("140-gga-only.nmea", "no date: GGA and GLL"), ("146-no-checksum.nmea", "has a checksum"),
      ("190-two-users.csv", "--individual: '1', '2'"),
      ("191-two-users-blocks.csv", "--individual: '1', '2'"),
      ("194-gpx-two-people.gpx", "'a', 'b' are far apart at the same time"),
      ("214-constant-time.gpx", "152 positions have only 1 time"),
      ("215-attr-ele.gpx", "has no <time>"), ("217-fix-none.gpx", "the <fix> is none"),
      ("240-utf16.nmea", "UTF-16"), ("241-utf16.csv", "UTF-16"),
      ("26-columbus.csv", "the first line is"), ("30-excel-dmy.csv", "is not a time"),
      ("56-wpt-only.gpx", "no position"), ("57-rte.gpx", "no position"),
      ("66-lon-gt180.gpx", "in range"), ("67-epoch.gpx", "is not a time"),
      ("70-upper.gpx", "is this a GPX file"), ("71-metadata-only-time.gpx", "has no <time>"),
      ("167-garmin.tcx", "neither"), ("172-html.gpx", "is this a GPX file"),
      ("04-at-cgnssinfo.log", "no position"),
    ])
  func refused(name: String, words: String) throws {
    for command in ["replay", "simulate"] {
      let found = try ReplayedVisits([command], path(name), in: scratch)
      #expect(found.exitCode == 1 && found.messages.contains(words), "\(found.messages)")
    }
  }

  @Test(
    "a file whose dates are wrong ends in time, with its reason told",
    arguments: [
      ("74-first-1970.csv", "wrong date"), ("74-first-2025.csv", "wrong date"),
      ("75-first-2039.csv", "wrong date"), ("75-mid-2039.csv", "wrong date"),
      ("80-gpscorrelate-2043.gpx", "2 wrong dates"), ("62-reverse.gpx", "sorted by time"),
      ("76-gap-7d.csv", "1 hole of more than a day"),
      ("250-sim-gap-24h-same.csv", "assumed open"),
    ])
  func simulated(name: String, words: String) throws {
    let found = try ReplayedVisits(["simulate"], path(name), in: scratch)
    #expect(found.exitCode == 0 && found.messages.contains(words), "\(found.messages)")
    #expect(found.summary?["duration_s"]?.number ?? .infinity < 1e6)
  }

  @Test("a hole of months is refused", arguments: ["76-gap-30d.csv", "76-gap-90d.csv"])
  func longHoles(name: String) throws {
    let found = try ReplayedVisits(["simulate"], path(name), in: scratch)
    #expect(found.exitCode == 1 && found.messages.contains("--through-holes"))
  }

  @Test("the positions of a receiver whose dates are wrong are not lost")
  func receivers() throws {
    for (name, words) in [
      ("77-nmea-mid-plus1day.nmea", "skipped 1 wrong date"),
      ("77-nmea-first20-plus1024w.nmea", "put right 20 first dates"),
    ] {
      let found = try ReplayedVisits(["replay"], path(name), in: scratch)
      #expect(found.are(["05-01 08:00-08:20", "05-01 08:20-08:40"]), "\(found.text)")
      #expect(found.messages.contains(words), "\(found.messages)")
    }
  }

  @Test(
    "values that cannot be read cost themselves alone",
    arguments: [
      "210-speed-kmh.gpx", "211-ele-nan-some.gpx", "212-ele-empty-exiftool.gpx",
      "213-ext-time-iso.gpx", "216-cmt-nested.gpx",
    ])
  func values(name: String) throws {
    let found = try ReplayedVisits(["replay"], path(name), in: scratch)
    #expect(found.are(["05-01 08:00-08:20", "05-01 08:32-08:51"]), "\(found.text)")
    #expect(found.summary?["fixes_accepted"]?.integer == 152)
    #expect(found.messages.contains("speeds are not believed") == name.hasPrefix("210"))
  }
}
