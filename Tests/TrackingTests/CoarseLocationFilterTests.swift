import Core
import Records
import Testing
import Tracking

/// A reference to a filter, so that mutating calls work inside expectations.
private final class Bench {
  var judge = CoarseLocationFilter(CoarseSettings())

  func judge(_ observation: CoarseObservation, time: UTCInstant?) -> CoarseDecision {
    judge.evaluate(observation, time: time)
  }

  func learn(accessPoint name: String, at position: Coordinate) {
    judge.learn(accessPoint: name, at: position)
  }
}

@Suite struct CoarseLocationFilterTests {
  let home = Coordinate(latitude: 35.1856, longitude: 33.3823)
  let time = UTCInstant(seconds: 1_700_000_000)

  private func observation(
    metresOff: Double, accuracy: Double?, accessPoint: String? = nil
  ) -> CoarseObservation {
    CoarseObservation(
      received: .zero, time: time,
      position: Sphere.destination(from: home, bearing: 45, distance: Metres(metresOff)),
      accuracy: accuracy.map { Metres($0) }, accessPoint: accessPoint, source: "wifi")
  }

  private func isDiscarded(_ verdict: CoarseDecision) -> Bool {
    if case .discarded = verdict { true } else { false }
  }

  @Test("a location with a large error is kept until a better one arrives")
  func largeErrorsAreKeptUntilSomethingBetterComes() {
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

  @Test("a location far from its known access point is discarded")
  func farFromAKnownAccessPointIsAnError() {
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

  @Test("an access point that moved is learnt anew") func anAccessPointThatMovedIsLearntAnew() {
    let judge = Bench()
    for _ in 0..<100 { judge.learn(accessPoint: "bus", at: home) }
    let there = Sphere.destination(from: home, bearing: 0, distance: 4000)
    judge.learn(accessPoint: "bus", at: there)
    let now = CoarseObservation(
      received: .zero, time: time, position: there, accuracy: 50, accessPoint: "bus", source: "wifi"
    )
    #expect(!isDiscarded(judge.judge(now, time: time)))
  }

  @Test("an answer without a sensible accuracy or a time is discarded")
  func senselessAnswersAreDiscarded() {
    let judge = Bench()
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: nil), time: time)))
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: .nan), time: time)))
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: -1), time: time)))
    #expect(isDiscarded(judge.judge(observation(metresOff: 0, accuracy: 50), time: nil)))
  }

  /// A filter restored from a snapshot's text.
  private func restored(_ text: String) throws -> CoarseLocationFilter {
    var judge = CoarseLocationFilter(CoarseSettings())
    judge.restore(try JSONValue(parsing: text))
    return judge
  }

  @Test("a restarted filter has the access points, their weights and the last use")
  func snapshot() throws {
    let first = Bench()
    for index in 0..<300 { first.learn(accessPoint: "ap \(index)", at: home) }
    for _ in 0..<3 { first.learn(accessPoint: "ap 50", at: home) }
    let text = first.judge.snapshot.text
    let second = try restored(text)
    #expect(second.snapshot.text == text)
    let again = Bench()
    again.judge = second
    let far = { (name: String) in
      again.judge(observation(metresOff: 5000, accuracy: 60, accessPoint: name), time: time)
    }
    #expect(isDiscarded(far("ap 50")) && isDiscarded(far("ap 299")))
    #expect(!isDiscarded(far("ap 43")), "the 44 used longest ago had gone")
    // Full: the least recently used entry is dropped, not the one that was used again.
    again.learn(accessPoint: "ap 300", at: home)
    #expect(!isDiscarded(far("ap 44")) && isDiscarded(far("ap 50")) && isDiscarded(far("ap 45")))
    // The mean continues from the restored value.
    first.learn(accessPoint: "ap 300", at: home)
    let aside = Sphere.destination(from: home, bearing: 90, distance: 100)
    first.learn(accessPoint: "ap 50", at: aside)
    again.learn(accessPoint: "ap 50", at: aside)
    #expect(again.judge.snapshot.text == first.judge.snapshot.text)
  }

  @Test(
    "damaged access points are left out, the others stay",
    arguments: [
      "\"latitude\":91", "\"latitude\":null", "\"longitude\":181", "\"locations\":0",
      "\"locations\":101", "\"locations\":1.5", "\"name\":\"\"", "\"name\":7",
      "\"latitude\":0,\"longitude\":0",
    ])
  func damagedAccessPoints(damage: String) throws {
    let sound = "{\"name\":\"a\",\"latitude\":35,\"longitude\":33,\"locations\":4}"
    // The last member of a name is used.
    let damaged =
      "{\"name\":\"b\",\"latitude\":35,\"longitude\":33,\"locations\":4,\(damage)}"
    let judge = try restored("{\"access_points\":[\(damaged),\(sound),7]}")
    #expect(judge.snapshot.text == "{\"access_points\":[\(sound)]}")
  }

  @Test("an oversized snapshot is bounded")
  func boundedSnapshot() throws {
    let point = { (name: String) in
      "{\"name\":\"\(name)\",\"latitude\":35,\"longitude\":33,\"locations\":4}"
    }
    let long = String(repeating: "x", count: 129)
    let points = (0..<1000).map { point("ap \($0)") } + [point(long)]
    let judge = try restored("{\"access_points\":[\(points.joined(separator: ","))]}")
    let kept = try #require(judge.snapshot["access_points"]?.array)
    #expect(kept.count == 256 && kept.first?["name"] == .string("ap 744"))
    #expect(kept.last?["name"] == .string("ap 999"))
    var empty = judge
    empty.restore(nil)
    empty.restore(.null)
    #expect(empty == judge, "no snapshot: what is known stays")
    empty.learn(accessPoint: long, at: home)
    #expect(empty == judge, "no access point has such a name")
  }
}
