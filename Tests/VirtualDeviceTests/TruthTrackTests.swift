import Core
import Testing
import VirtualDevice

@Suite struct TruthTrackTests {
  /// To the north at the speed of each section, one sample a second.
  private func trace(_ stretches: [(seconds: Int, metresPerSecond: Double)]) throws -> TraceTruth {
    var latitude = 53.0
    var samples: [TruthSample] = []
    for stretch in stretches {
      for _ in 0..<stretch.seconds {
        samples.append(
          TruthSample(
            time: morning + Seconds(Double(samples.count)),
            position: Coordinate(latitude: Degrees(latitude), longitude: 6),
            speed: MetresPerSecond(stretch.metresPerSecond)))
        latitude += stretch.metresPerSecond / 111_195
      }
    }
    return try #require(TraceTruth(samples))
  }

  private func points(_ truth: any GroundTruth, for time: Seconds) -> [TruthTrack.Point] {
    var track = TruthTrack(truth, shortestStay: 300)
    return track.read(until: morning + time / 2) + track.read(until: morning + time)
      + track.finish()
  }

  @Test("a halt shorter than the shortest stay is part of the way, a longer one is not")
  func restsAreStaysIfLongEnough() throws {
    let truth = try trace([(100, 5), (200, 0), (100, 5), (400, 0), (100, 5)])
    let points = points(truth, for: 890)
    #expect(points.map(\.time) == (0..<89).map { morning + Seconds(Double($0) * 10) })
    let resting = points.filter { !$0.isUnderWay }.map { ($0.time - morning).value }
    #expect(resting.first == 400 && resting.last == 790)
    #expect(resting.count == 40)
  }

  @Test("where the truth is unknown there is no position, and a rest ends")
  func anUnknownTimeEndsARest() throws {
    let samples = [0.0, 200, 1000, 1200].map {
      TruthSample(
        time: morning + Seconds($0),
        position: Coordinate(latitude: $0 < 500 ? 53 : 54, longitude: 6), speed: 0)
    }
    let truth = try #require(TraceTruth(samples, maxGap: 250))
    let points = points(truth, for: 1200)
    #expect(points.count == 41)
    #expect(!points.contains { $0.time > morning + 200 && $0.time < morning + 1000 })
    #expect(points.allSatisfy { $0.isUnderWay })
  }

  @Test("it follows its own truth: other readers do not affect it")
  func itFollowsATruthOfItsOwn() {
    let (first, second) = (drive(seconds: 100), drive(seconds: 100))
    var track = TruthTrack(first, shortestStay: 300)
    _ = first.state(at: morning + 90)
    #expect(track.read(until: morning + 100) == points(second, for: 100))
  }
}
