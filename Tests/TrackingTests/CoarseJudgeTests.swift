import Geodesy
import Quantities
import Records
import Testing
import Tracking

/// A judge in a box, so that its verdicts can stand inside expectations.
private final class Bench {
  var judge = CoarseJudge(CoarseSettings())

  func judge(_ observation: CoarseObservation, time: UTCInstant?) -> CoarseVerdict {
    judge.judge(observation, time: time)
  }

  func learn(accessPoint name: String, at place: Coordinate) {
    judge.learn(accessPoint: name, at: place)
  }
}

@Suite struct CoarseJudgeTests {
  let home = Coordinate(latitude: 35.1856, longitude: 33.3823)
  let time = UTCInstant(seconds: 1_700_000_000)

  private func observation(
    metresOff: Double, accuracy: Double?, accessPoint: String? = nil
  ) -> CoarseObservation {
    CoarseObservation(
      received: .zero, time: time,
      place: Sphere.destination(from: home, bearing: 45, distance: Metres(metresOff)),
      accuracy: accuracy.map { Metres($0) }, accessPoint: accessPoint, source: "wifi")
  }

  private func isDiscarded(_ verdict: CoarseVerdict) -> Bool {
    if case .discarded = verdict { true } else { false }
  }

  @Test func largeErrorsAreKeptUntilSomethingBetterComes() {
    let judge = Bench()
    guard case .accurate = judge.judge(observation(metresOff: 0, accuracy: 80), time: time) else {
      Issue.record("80 m is accurate")
      return
    }
    guard
      case .keptUntilBetter = judge.judge(observation(metresOff: 0, accuracy: 3000), time: time)
    else {
      Issue.record("the country offers nothing better")
      return
    }
  }

  @Test func farFromAKnownAccessPointIsAnError() {
    let judge = Bench()
    let far = observation(metresOff: 5000, accuracy: 60, accessPoint: "aa:bb")
    #expect(!isDiscarded(judge.judge(far, time: time)), "an unknown access point proves nothing")
    for _ in 0..<3 { judge.learn(accessPoint: "aa:bb", at: home) }
    #expect(isDiscarded(judge.judge(far, time: time)))
    let near = observation(metresOff: 50, accuracy: 60, accessPoint: "aa:bb")
    #expect(!isDiscarded(judge.judge(near, time: time)))
    let vague = observation(metresOff: 0, accuracy: 2000, accessPoint: "aa:bb")
    #expect(isDiscarded(judge.judge(vague, time: time)), "its good place is better known")
  }

  @Test func anAccessPointThatMovedIsLearntAnew() {
    let judge = Bench()
    for _ in 0..<100 { judge.learn(accessPoint: "bus", at: home) }
    let there = Sphere.destination(from: home, bearing: 0, distance: 4000)
    judge.learn(accessPoint: "bus", at: there)
    let now = CoarseObservation(
      received: .zero, time: time, place: there, accuracy: 50, accessPoint: "bus", source: "wifi")
    #expect(!isDiscarded(judge.judge(now, time: time)))
  }

  @Test func senselessAnswersAreDiscarded() {
    let judge = Bench()
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: nil), time: time)))
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: .nan), time: time)))
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: -1), time: time)))
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: 50), time: nil)))
  }
}
