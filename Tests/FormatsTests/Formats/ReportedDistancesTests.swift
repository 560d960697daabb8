import Formats
import TestSupport
import Testing

/// Speeds of a walker: only the whole distance reveals their unit.
@Suite struct ReportedDistancesTests {
  private static let start = 1_777_622_400

  /// Half an hour at rest and an hour's walk, with position errors that persist for a while.
  private func table(
    speed: Double, factor: Double, step: Int, error: Double, atRest: Double = 0
  ) -> String {
    var random = SplitMix(seed: 7)
    var north = 0.0
    var text = "time,lat,lon,speed\n"
    for index in 0..<(5400 / step) {
      let time = index * step
      let way = max(0, Double(time - 1800)) * speed
      north = north * 0.9 + Double.random(in: -error...error, using: &random) * 0.4
      let claimed = time < 1800 ? atRest : speed * factor
      text += "\(Self.start + time),\(52 + (way + north) / 111_195),5.1,\(claimed)\n"
    }
    return text
  }

  @Test("speeds of a walker in km/h are rejected", arguments: [5, 10, 20])
  func walking(step: Int) throws {
    for speed in [0.9, 1.4] {
      let inHours = table(speed: speed, factor: 3.6, step: step, error: 4)
      let told = try TraceRun.order(inHours).sentences
      #expect(told.contains("its speeds are ignored"), "\(speed)")
    }
  }

  @Test("right speeds are accepted, also with errors and at rest", arguments: [1, 5, 10, 20, 30])
  func rightSpeeds(step: Int) throws {
    for speed in [0.4, 0.9, 1.4, 3, 12] {
      for factor in [0.8, 1, 1.25] {
        let right = table(speed: speed, factor: factor, step: step, error: 8, atRest: 0.3)
        #expect(try TraceRun.order(right).sentences.isEmpty, "\(speed) \(factor)")
      }
    }
  }

  @Test("small speeds at rest are accepted") func driftAtRest() throws {
    let resting = table(speed: 0, factor: 1, step: 1, error: 3, atRest: 0.5)
    #expect(try TraceRun.order(resting).sentences.isEmpty)
  }
}
