import Geodesy
import Quantities

/// Whether the speeds of a trace can be those of its positions, in metres per second.
struct ClaimedSpeeds {
  /// Over less, the noise of positions is a speed of its own; over more, the way is anything.
  private static let stretch: ClosedRange<Seconds> = 20...900
  /// What stands or walks is judged by none.
  private static let least: MetresPerSecond = 3
  private static let usualError: Metres = 10
  /// Where positions are so dense, the way is known between them.
  private static let dense: Seconds = 30
  /// Ways have bends, the more the longer they are.
  private static let bendsOfDense = 1.3
  private static let bends = 2.0
  private static let bendsOfLong = 3.0
  private static let long: Seconds = 180
  private static let margin: MetresPerSecond = 1.5
  private static let fewest = 5

  private var start: TraceSample?
  private var last: TraceSample?
  private var way: Metres = 0
  private var longestStep: Seconds = 0
  private var sum: MetresPerSecond = 0
  private var count = 0
  private var judged = 0
  private var contradicted = 0
  /// The first of them.
  private(set) var first: TraceRow?

  /// Whether most of them are more than the positions allow.
  var areWrong: Bool { contradicted >= Self.fewest && contradicted * 2 > judged }

  mutating func take(_ row: TraceRow) {
    let sample = row.sample
    guard let start else { return begin(sample) }
    note(sample)
    let time = (sample.time - start.time).magnitude
    guard time >= Self.stretch.lowerBound else { return }
    if time <= Self.stretch.upperBound { judge(row, since: start, time) }
    begin(sample)
  }

  private mutating func begin(_ sample: TraceSample) {
    start = sample
    last = nil
    way = 0
    longestStep = 0
    sum = 0
    count = 0
    note(sample)
  }

  private mutating func note(_ sample: TraceSample) {
    if let last {
      way = way + Sphere.distance(last.position, sample.position)
      longestStep = max(longestStep, (sample.time - last.time).magnitude)
    }
    last = sample
    guard let speed = sample.speed else { return }
    sum = sum + speed
    count += 1
  }

  private mutating func judge(_ row: TraceRow, since start: TraceSample, _ time: Seconds) {
    guard count > 0 else { return }
    let claimed = sum * (1 / Double(count))
    guard claimed > Self.least else { return }
    judged += 1
    let errors = [start, row.sample].map { $0.accuracy ?? Self.usualError }.reduce(0, +)
    let seen = (longestWay(since: start, to: row.sample, time) + errors) / time
    guard claimed > seen + Self.margin else { return }
    contradicted += 1
    first = first ?? row
  }

  private func longestWay(
    since start: TraceSample, to end: TraceSample, _ time: Seconds
  ) -> Metres {
    guard longestStep > Self.dense else { return way * Self.bendsOfDense }
    let line = Sphere.distance(start.position, end.position)
    return line * (time > Self.long ? Self.bendsOfLong : Self.bends)
  }
}
