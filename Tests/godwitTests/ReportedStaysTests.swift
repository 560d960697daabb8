import TestSupport
import Testing

/// Trips and stays that other programs detected wrongly.
@Suite(.enabled(if: ReportedFiles.isHere, ReportedFiles.absence))
struct ReportedStaysTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let garage = ["05-01 11:12-11:31"]
  private static let evening = ["05-01 18:00-20:59"]
  private static let neighbours = ["01-12 06:02-06:18", "01-12 06:26-06:38"]

  static let found: [ReportedTrack] = [
    .init(name: "120-midnight.csv", visits: ["05-01 21:00-06:00", "05-02 06:10-06:49"]),
    .init(name: "121-dst-autumn.csv", visits: ["10-25 00:30-01:30", "10-25 01:40-02:19"]),
    .init(
      name: "123-pole.csv",
      visits: ["05-01 08:00-08:13", "05-01 08:15-08:28", "05-01 08:40-09:09"]),
    .init(
      name: "124-nullisland.csv", visits: ["05-01 08:00-08:30", "05-01 08:35-09:04"],
      told: ["1 at exactly 0, 0"]),
    .init(
      name: "127-hourly-heartbeat.csv", visits: ["05-01 18:00-04:10", "05-02 04:23-04:43"],
      gaps: 10),
    .init(name: "128-jumps-at-rest.csv", visits: evening),
    .init(name: "129-indoor-wander-acc65.csv", visits: evening),
    .init(
      name: "129-indoor-wander.csv", visits: evening,
      shortcoming: "positions that wander farther than the accuracy they claim part the stay"),
    .init(name: "131-ferry.csv", visits: ["05-01 18:00-18:20", "05-01 18:45-19:04"]),
    .init(name: "132-tunnel.csv", visits: ["05-01 18:00-18:20", "05-01 18:37-18:56"]),
    .init(name: "133-park-stroll.csv", visits: ["05-01 18:00-18:59"]),
    .init(
      name: "134-neighbours.csv",
      visits: ["05-01 18:00-18:30", "05-01 18:31-19:02", "05-01 19:03-19:33"]),
    .init(name: "220-stay-2min.csv", visits: ["05-01 08:14-08:33"]),
    .init(name: "220-stay-4min.csv", visits: ["05-01 08:16-08:35"]),
    .init(name: "220-stay-5.5min.csv", visits: ["05-01 08:06-08:11", "05-01 08:17-08:37"]),
    .init(name: "220-stay-7min.csv", visits: ["05-01 08:06-08:13", "05-01 08:19-08:38"]),
    .init(name: "221-garage-3h.csv", visits: garage, gaps: 1),
    .init(name: "222-dark-600m-3h.csv", visits: garage, gaps: 1),
    .init(name: "223-flight.csv", visits: ["05-01 08:00-08:59", "05-01 11:00-11:59"], gaps: 1),
    .init(
      name: "225-loop-walk.csv",
      visits: ["05-01 08:00-09:00", "05-01 09:07-09:13", "05-01 09:19-10:19"]),
    .init(name: "226-anchor-swing.csv", visits: ["05-01 08:00-15:59"]),
    .init(
      name: "261-dark-ride-6h-300km.nmea", visits: ["05-01 08:00-08:29", "05-01 14:30-14:59"],
      gaps: 1),
    .init(
      name: "262-dark-ride-1h-20km-after-4min.nmea",
      visits: ["05-01 08:00-08:29", "05-01 09:30-09:59"], gaps: 1),
    .init(name: "273-rest-12h.csv", visits: ["05-01 08:00-19:59"]),
    .init(name: "290-neighbour-stays-found.csv", visits: neighbours, year: 2000),
    .init(
      name: "290-neighbour-stays-missed.csv", visits: neighbours, year: 2000,
      shortcoming: "what comes before them decides whether both stays are found"),
  ]

  @Test("the stays are found, and none is invented", arguments: found)
  func stays(track: ReportedTrack) throws { try track.check(in: scratch) }
}
