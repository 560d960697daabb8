import Core
import Records
import TestSupport
import Testing
import Tracking

/// Which of the received locations are stored.
@Suite struct StoredTrackTests {
  /// - Parameter east: the position at a time.
  private static func run(
    _ track: inout StoredTrack, _ times: [Double], for purpose: StoredTrack.Purpose,
    east: (Double) -> Double
  ) -> [TrackPoint] {
    times.flatMap { time in
      track.add(GroundTruth.location(time, east(time)), for: purpose, session: Int64(time))
    }
  }

  private static func seconds(_ points: [TrackPoint]) -> [Double] {
    points.map { ($0.location.time - GroundTruth.start).value }
  }

  @Test("a dense line is the same, whichever other demands there are")
  func dense() {
    func line(_ purpose: (Int) -> StoredTrack.Purpose) -> [TrackPoint] {
      var track = StoredTrack(TrajectorySettings(), isDense: true)
      return (0..<3600).flatMap { second in
        let location = GroundTruth.location(Double(second), Double(abs(second - 1800)) * 3)
        return track.add(location, for: purpose(second), session: 1)
      } + [track.finish()].compactMap { $0 }
    }
    let alone = line { _ in .passing }
    #expect((2...12).contains(alone.count))
    #expect(line { $0 % 3 == 0 ? .request : .passing } == alone)
    #expect(Set(Self.seconds(alone)).count == alone.count)
    let points = line { $0 % 600 == 0 ? .point : .passing }
    let wanted = points.filter { $0.reason == .scheduled }
    #expect(Self.seconds(wanted) == stride(from: 0.0, to: 3600, by: 600).map { $0 })
    #expect(Set(Self.seconds(points)).count == points.count)
  }

  @Test("additional locations are not stored where attempts are single") func passing() {
    var track = StoredTrack(TrajectorySettings(), isDense: false)
    #expect(Self.run(&track, [0, 1, 2], for: .passing) { $0 * 100 }.isEmpty)
    #expect(Self.seconds(Self.run(&track, [3, 4], for: .point) { $0 * 100 }) == [3, 4])
    #expect(track.finish() == nil)
  }

  @Test("requested attempts add no point at rest, however many") func atRest() {
    var track = StoredTrack(TrajectorySettings(), isDense: false)
    _ = Self.run(&track, [0], for: .point) { _ in 0 }
    let looks = Self.run(&track, (1...1000).map { Double($0) * 60 }, for: .request) {
      $0.truncatingRemainder(dividingBy: 7)
    }
    #expect(looks.isEmpty)
  }

  @Test("under way those attempts are stored that the line between the others would miss")
  func onTheWay() {
    var track = StoredTrack(TrajectorySettings(), isDense: false)
    var points = Self.run(&track, [0], for: .point) { _ in 0 }
    // At rest until 600 s, then leaving at 10 m/s.
    let east = { (time: Double) in max(0, time - 600) * 10 }
    points += Self.run(&track, [300, 600, 620, 640], for: .request, east: east)
    points += Self.run(&track, [660], for: .point, east: east)
    #expect(Self.seconds(points) == [0, 600, 660])
    #expect(points.map(\.reason) == [.scheduled, .shape, .scheduled])
    #expect(points.map(\.session) == [0, 600, 660])
    points = Self.run(&track, [680], for: .request, east: east)
    points += Self.run(&track, [700], for: .point) { _ in 600 }
    #expect(Self.seconds(points) == [680, 700], "it has turned back")
  }

  @Test("no location is stored twice where the source becomes dense and single again")
  func changes() {
    var random = SplitMix(seed: 7)
    for _ in 0..<200 {
      var track = StoredTrack(TrajectorySettings(), isDense: Bool.random(using: &random))
      var points: [TrackPoint] = []
      var east = 0.0
      for second in 0..<300 {
        if Int.random(in: 0..<20, using: &random) == 0 {
          points += [track.become(dense: !track.isDense)].compactMap { $0 }
        }
        east += .random(in: -30...30, using: &random)
        let purpose: StoredTrack.Purpose =
          [.point, .request, .passing].randomElement(using: &random)!
        points += track.add(
          GroundTruth.location(Double(second), east), for: purpose, session: nil)
      }
      points += [track.finish()].compactMap { $0 }
      let times = Self.seconds(points)
      #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test("the time of a detected rest is stored once, from a dense source never")
  func felt() {
    var track = StoredTrack(TrajectorySettings(), isDense: false)
    #expect(track.rest(at: GroundTruth.location(10, 0))?.reason == .rest)
    #expect(track.rest(at: GroundTruth.location(10, 30)) == nil)
    #expect(track.rest(at: GroundTruth.location(20, 30)) != nil)
    _ = track.become(dense: true)
    #expect(track.rest(at: GroundTruth.location(30, 0)) == nil)
  }

  @Test("a late location reveals nothing about the session before") func late() {
    var track = StoredTrack(TrajectorySettings(), isDense: true)
    for (time, session) in [(0.0, 1), (10, 1), (10, 2), (5, 3)] as [(Double, Int64)] {
      _ = track.add(GroundTruth.location(time, 0), for: .request, session: session)
    }
    #expect(track.end?.session == 1)
    #expect(track.finish()?.session == 1)
  }

  @Test("a dense line ends at the last location") func end() {
    var track = StoredTrack(TrajectorySettings(), isDense: true)
    _ = Self.run(&track, (0...100).map(Double.init), for: .passing) { $0 }
    #expect(track.end?.location.time == GroundTruth.time(100))
    #expect(track.become(dense: false)?.location.time == GroundTruth.time(100))
    #expect(track.end == nil && track.finish() == nil)
  }
}
