import Core
import Records
import Testing

@testable import Tracking

/// The effect of habits on the adaptive policy's pauses.
@Suite struct AdaptiveHabitsTests {
  /// A board that rests at its destination 1, and has left at half past seven on this many days.
  /// - Parameter isKnown: otherwise it is a place where it has never been.
  static func pipeline(leftOn days: Int, isKnown: Bool = true) throws -> LocationPipeline {
    let home = Destination(
      id: isKnown ? 1 : 7, position: isKnown ? GroundTruth.home : GroundTruth.position(5000, 0),
      radius: 5,
      visits: 9, totalDwell: 9000)
    var pipeline = LocationPipeline(
      LocationSettings(), nextVisitID: 99, destinations: [home])
    let hours = DepartureHistogramTests.worked(days).hours
    pipeline.restore(.object([("hours", DepartureHistogram.fields.snapshot(of: hours))]))
    for second in stride(from: 0.0, through: 1200, by: 60) {
      _ = pipeline.handle(GroundTruth.fix(second, 0))
    }
    try #require(pipeline.openVisit != nil)
    return pipeline
  }

  /// The pause after a fix attempt at that time of day, in seconds.
  static func pause(
    _ hour: Double?, _ pipeline: LocationPipeline, _ sources: [String] = [],
    timing: Seconds = 240
  ) -> Double {
    var settings = AdaptiveSettings()
    settings.timing = timing
    var policy = AdaptivePolicy(settings)
    policy.started(at: .zero)
    let look = AdaptivePolicyTests.at(4000)
    policy.searchFailed(at: look)
    var clock = UTCClock()
    if let hour {
      let seconds = 7 * DepartureHistogramTests.day + hour * DepartureHistogramTests.hour
      clock.receiverTime(DepartureHistogramTests.time(seconds), at: look)
    }
    let motion = AdaptivePolicyTests.resting(sources).motion
    let demand = policy.demand(at: look, in: TrackingContext(pipeline, motion, clock))
    guard case .off(let next?) = demand?.mode else { return 0 }
    return (next - look).value
  }

  @Test("attempts are more frequent at usual departure hours, and less frequent at others")
  func habits() throws {
    let pipeline = try Self.pipeline(leftOn: 7)
    #expect(Self.pause(7.5, pipeline) < 170)
    #expect(Self.pause(7.5, pipeline) >= 240 * 0.4)
    #expect(Self.pause(2, pipeline) > 260)
    #expect(Self.pause(2, pipeline) <= 240 * 1.25)
    #expect(Self.pause(2, pipeline, timing: 120) <= 120 * 1.25)
  }

  @Test("without a date, a known place or enough days every pause is the default")
  func unsure() throws {
    #expect(Self.pause(nil, try Self.pipeline(leftOn: 7)) == 240)
    for hour in [2, 7.5] {
      #expect(Self.pause(hour, try Self.pipeline(leftOn: 3)) == 240)
      #expect(Self.pause(hour, try Self.pipeline(leftOn: 7, isKnown: false)) == 240)
    }
  }

  @Test("where a sensor would detect a departure, habits change nothing")
  func watched() throws {
    let pipeline = try Self.pipeline(leftOn: 7)
    for hour in [2, 7.5] { #expect(Self.pause(hour, pipeline, ["motion"]) >= 3600) }
  }
}
