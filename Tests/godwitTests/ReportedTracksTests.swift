import TestSupport
import Testing

/// Track files of other users.
@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedTracksTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// Twenty minutes at A, five under way, twenty at B.
  static let both = ["05-01 08:00-08:20", "05-01 08:25-08:44"]
  private static let one = ["05-01 08:00-08:20"]
  private static let far = ["05-01 08:00-08:20", "05-01 08:32-08:51"]
  private static let noZone = ["they count as UTC"]

  private static func unreadable(_ rows: Int, _ value: String) -> [String] {
    ["left out unreadable parts of \(rows) positions", value]
  }

  static let read: [ReportedTrack] = [
    .init(name: "20-plain.csv", visits: both), .init(name: "21-movebank.csv", visits: both),
    .init(name: "22-traccar.csv", visits: both), .init(name: "23-trackintel.csv", visits: both),
    .init(name: "25-date-time-two.csv", visits: both, told: noZone),
    .init(name: "26-columbus.csv", visits: both, told: noZone),
    .init(name: "27-gpslogger.csv", visits: both),
    .init(name: "28-semicolon-comma.csv", visits: both),
    .init(name: "29-epoch-ms.csv", visits: both), .init(name: "32-offset.csv", visits: both),
    .init(name: "33-sci.csv", visits: both), .init(name: "34-bom.csv", visits: both),
    .init(name: "37-quoted-header.csv", visits: both),
    .init(name: "41-nozone.gpx", visits: both, told: noZone),
    .init(name: "42-offset-nocolon.gpx", visits: both),
    .init(name: "44-nosec.gpx", visits: both, told: ["45 at the time of the previous one"]),
    .init(name: "47-mixed-frac.gpx", visits: both),
    .init(name: "48-javadouble.gpx", visits: ["05-01 08:00-08:44"], accepted: 90),
    .init(name: "51-latin1.gpx", visits: both), .init(name: "52-bom.gpx", visits: both),
    .init(name: "54-nbsp.gpx", visits: both), .init(name: "60-ext-time.gpx", visits: both),
    .init(name: "72-ele-0.csv", visits: both, told: unreadable(90, "nan"), accepted: 90),
    .init(name: "72-ele-1.csv", visits: both, told: unreadable(90, "NaN"), accepted: 90),
    .init(name: "72-ele-2.csv", visits: both, told: unreadable(90, "null"), accepted: 90),
    .init(name: "72-ele-3.csv", visits: both, told: unreadable(90, "None"), accepted: 90),
    .init(name: "72-ele-4.csv", visits: both, told: unreadable(90, "NA"), accepted: 90),
    .init(name: "72-ele-6.csv", visits: both, told: unreadable(90, "-"), accepted: 90),
    .init(name: "72-ele-7.csv", visits: both, accepted: 90),
    .init(name: "72-ele-8.csv", visits: both, accepted: 90),
    .init(name: "72-ele-9.csv", visits: both, accepted: 90),
    .init(name: "72-ele-11.csv", visits: both, told: unreadable(90, "3,5"), accepted: 90),
    .init(name: "73-acc-0.csv", visits: both, accepted: 90),
    .init(name: "73-acc-3.csv", visits: both, accepted: 90),
    .init(name: "160-owntracks.rec", visits: one), .init(name: "161-owntracks.json", visits: one),
    .init(name: "163-google-timeline.json", visits: one),
    .init(name: "165-track.geojson", visits: one), .init(name: "167-garmin.tcx", visits: one),
    .init(name: "169-ozi.plt", visits: one),
    .init(
      name: "210-speed-kmh.gpx", visits: far, told: ["speeds are ignored"], accepted: 152),
    .init(name: "211-ele-nan-some.gpx", visits: far, told: unreadable(30, "<ele>"), accepted: 152),
    .init(
      name: "212-ele-empty-exiftool.gpx", visits: far, told: unreadable(152, "<ele>"),
      accepted: 152),
    .init(name: "213-ext-time-iso.gpx", visits: far, accepted: 152),
    .init(name: "216-cmt-nested.gpx", visits: far, accepted: 152),
  ]

  @Test("the visits are those of the file", arguments: read)
  func visits(track: ReportedTrack) throws { try track.check(in: scratch) }

  static let refused: [(name: String, words: String)] = [
    ("30-excel-dmy.csv", "is not a time"), ("56-wpt-only.gpx", "no position"),
    ("57-rte.gpx", "no position"), ("66-lon-gt180.gpx", "in range"),
    ("67-epoch.gpx", "is not a time"), ("70-upper.gpx", "check that this is a GPX file"),
    ("71-metadata-only-time.gpx", "has no <time>"),
    ("172-html.gpx", "check that this is a GPX file"),
    ("190-two-users.csv", "--individual: '1', '2'"),
    ("191-two-users-blocks.csv", "--individual: '1', '2'"),
    ("194-gpx-two-people.gpx", "'a', 'b' are far apart at the same time"),
    ("214-constant-time.gpx", "152 positions have only 1 time"),
    ("215-attr-ele.gpx", "has no <time>"), ("217-fix-none.gpx", "the <fix> is \"none\""),
    ("241-utf16.csv", "UTF-16"),
  ]

  @Test("files without results are refused with the reason", arguments: refused)
  func refusal(name: String, words: String) throws {
    for command in ["replay", "simulate"] {
      let found = try ReplayedVisits([command], ReportedFiles.path(name), in: scratch)
      #expect(found.exitCode == 1 && found.messages.contains(words), "\(found.messages)")
    }
  }
}
