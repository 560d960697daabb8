import Glibc
import Laboratory
import Notation
import Quantities
import VirtualDevice

/// `godwit-test-study [FIRST-SEED [TESTS]]` makes up whole energy tests, has them read and reported
/// like real ones, and counts how often their 95 % intervals hold the truth.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let tests = numbers.count > 1 ? numbers[1] : 2000

/// How the runs of one condition scatter around its mean: by 8 %.
enum Scatter: String, CaseIterable {
  case normal, even, skewed

  static let deviation = 0.08

  /// One run's share of the mean.
  func factor(using random: inout SeededRandom) -> Double {
    switch self {
    case .normal: return 1 + Self.deviation * random.normal()
    case .even:
      return 1 + Self.deviation * 3.0.squareRoot() * Double.random(in: -1...1, using: &random)
    case .skewed:
      // An exponential distribution has as much scatter as mean.
      return 1 - Self.deviation + Self.deviation * random.exponential()
    }
  }
}

extension SeededRandom {
  /// Mean 0, standard deviation 1 (Box and Muller, 1958).
  mutating func normal() -> Double {
    (2 * exponential()).squareRoot() * cos(2 * .pi * Double.random(in: 0..<1, using: &self))
  }

  /// Mean and standard deviation 1.
  mutating func exponential() -> Double { -log(1 - Double.random(in: 0..<1, using: &self)) }
}

/// A recording of a receiver that tracks and rests in turns, read by an INA226 across 100 mΩ.
struct MadeUpRun {
  static let (tracking, off) = (36.8, 2.1)
  private static let period = 30

  let text: String
  let events: RunEvents

  init(factor: Double, using random: inout SeededRandom) {
    var rows: [String] = []
    var events: [RunEvent] = []
    for second in 0...120 {
      let isTracking = second / Self.period % 2 == 0
      if second % Self.period == 0 {
        events.append(
          RunEvent(
            .receiver(state: isTracking ? "tracking" : "off"), at: .zero + Seconds(Double(second))))
      }
      let current = (isTracking ? Self.tracking : Self.off) * factor + 0.1 * random.normal()
      let steps = (current * 40).rounded()
      rows.append(
        #"{"time_s":\#(Double(second) + 0.5),"current_mA":\#(steps / 40),"voltage_V":3.3}"#)
    }
    text =
      "{\"metadata\":{\"start_boottime_s\":0,\"window_s\":0.035},\n\"samples\":[\n"
      + rows.joined(separator: ",\n") + "],\n\"statistics\":{}}\n"
    self.events = RunEvents(events)
  }

  func read() throws -> RecordedRun {
    var reader = RecordingReader(file: "run.json", events: events)
    try Array(text.utf8).withUnsafeBufferPointer { try reader.feed($0) }
    return try reader.finish()
  }
}

/// The intervals of one made-up test that there are, and how many of them hold the truth.
struct Count {
  var told = 0
  var held = 0

  mutating func take(_ low: Double?, _ high: Double?, truth: Double) {
    guard let low, let high else { return }
    told += 1
    if low <= truth, truth <= high { held += 1 }
  }

  var text: String {
    told > 0 ? FixedDecimal.text(100 * Double(held) / Double(told), digits: 1) + " %" : "-"
  }
}

/// Two conditions, the second with a tenth more of everything; what both have in common in a round
/// scatters, too.
func test(_ scatter: Scatter, runs: Int, seed: UInt64) throws -> PowerReport {
  var random = SeededRandom(seed: seed)
  var (a, b): ([RecordedRun], [RecordedRun]) = ([], [])
  for _ in 0..<runs {
    let round = 1 + 0.03 * random.normal()
    let (first, second) = (
      scatter.factor(using: &random), scatter.factor(using: &random)
    )
    a.append(try MadeUpRun(factor: round * first, using: &random).read())
    b.append(try MadeUpRun(factor: round * 1.1 * second, using: &random).read())
  }
  return PowerReport(
    [TestedCondition(name: "a", runs: a), TestedCondition(name: "b", runs: b)],
    options: .init(isPaired: true), using: &random)
}

print("seeds \(first)...\(first + tests - 1) of each line")
print("| scatter | runs | method | mean | difference | state `tracking` | state `off` |")
print("|---|---|---|---|---|---|---|")
// Of a recording: sixty seconds of each.
let mean = (MadeUpRun.tracking + MadeUpRun.off) / 2 / 1000
for scatter in Scatter.allCases {
  for runs in [3, 6, 10] {
    var (means, differences, tracking, off) = (Count(), Count(), Count(), Count())
    var method = "-"
    for seed in first..<first + tests {
      let report = try test(scatter, runs: runs, seed: seed)
      let line = report.lines[0]
      method = line.interval?.method.rawValue ?? "-"
      means.take(line.interval?.low, line.interval?.high, truth: mean)
      let difference = report.differences[0].interval
      differences.take(difference?.low, difference?.high, truth: mean * 0.1)
      for (figures, interval) in line.states {
        let isOff = figures.state == "off"
        let truth = (isOff ? MadeUpRun.off : MadeUpRun.tracking) / 1000
        if isOff {
          off.take(interval?.low, interval?.high, truth: truth)
        } else {
          tracking.take(interval?.low, interval?.high, truth: truth)
        }
      }
    }
    print(
      "| \(scatter.rawValue) | \(runs) | \(method) | \(means.text) | \(differences.text) "
        + "| \(tracking.text) | \(off.text) |")
  }
}
