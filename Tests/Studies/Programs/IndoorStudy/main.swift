import IndoorStays
import Core
import TestSupport

/// `godwit-indoor-study [FIRST-SEED [STAYS]]`: false departures while a board stays in a building
/// with a weak signal, and how soon a real one is noticed, by several rules.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let count = numbers.count > 1 ? max(numbers[1], 1) : 1000

print("\(count) stays of two hours with a look every minute, seeds \(first)...\(first + count - 1)")
print(
  "| rule | the signal | false departures | stays with one | left on foot: noticed "
    + "| delay, median / p95 |")
print("|---|---|---|---|---|---|")
for drifts in [false, true] {
  for rule in IndoorStay.Rule.allCases {
    let stays = (first..<first + count).map { IndoorStay(rule, drifts: drifts, seed: $0) }
    let delays = stays.compactMap(\.delay)
    let spread = delays.isEmpty ? "-" : Delays(delays).medianAndP95
    print(
      "| \(rule.words) | \(drifts ? "wrong for ten minutes, too" : "weak") "
        + "| \(stays.reduce(0) { $0 + $1.falseDepartures }) "
        + "| \(stays.count { $0.falseDepartures > 0 }) | \(delays.count) | \(spread) |")
  }
}

/// A location every second, in a circle of 50 m: from the positions alone, and with the speed.
func steady(
  _ words: String, seconds: Int, set: (inout SteadyWalk.Errors) -> Void = { _ in },
  leaves after: Double? = nil, east: (Double) -> Double
) {
  var errors = SteadyWalk.Errors()
  set(&errors)
  var cells: [String] = []
  for tellsSpeed in [false, true] {
    let walks = (first..<first + count / 10).map {
      SteadyWalk(errors, seconds: seconds, seed: $0, tellsSpeed: tellsSpeed, east: east)
    }
    let delays = walks.compactMap { walk in
      after.flatMap { edge in
        walk.departures.first { $0 >= Seconds(edge) }.map { $0 - Seconds(edge) }
      }
    }
    let early = walks.reduce(0) { sum, walk in
      sum + walk.departures.count { $0 < Seconds(after ?? .infinity) }
    }
    cells += ["\(early)", delays.isEmpty ? "-" : Delays(delays).medianAndP95]
  }
  print("| \(words) | \(cells.joined(separator: " | ")) |")
}

print("\n\(count / 10) runs each with a location every second, a circle of 50 m")
print("| | false departures, no speed | delay | false, with the speed | delay, median / p95 |")
print("|---|---|---|---|---|")
for speed in [1.4, 8.0, 25.0] {
  let edge = 120 + SteadyWalk.radius.value / speed
  steady("leaves at \(speed) m/s", seconds: 300, leaves: edge) { max(0, $0 - 120) * speed }
}
steady(
  "rests an hour, errors of 80 m, told as 120 m", seconds: 3600,
  set: { ($0.sigma, $0.correlation, $0.accuracy, $0.speed) = (80, 60, 120, 0.5) }
) { _ in 0 }
steady(
  "rests an hour, errors of 60 m, told as 20 m", seconds: 3600,
  set: { ($0.sigma, $0.correlation, $0.accuracy, $0.speed) = (60, 60, 20, 0.5) }
) { _ in 0 }
steady(
  "rests an hour, errors of 60 m, told as 8 m", seconds: 3600,
  set: { ($0.sigma, $0.correlation, $0.accuracy, $0.speed) = (60, 60, 8, 0.5) }
) { _ in 0 }
steady(
  "walks about in it for an hour, reflections", seconds: 3600,
  set: {
    ($0.sigma, $0.correlation, $0.accuracy) = (6, 45, 9)
    ($0.speed, $0.leaps) = (0.25, 0.005)
  }
) { ($0.truncatingRemainder(dividingBy: 40) - 20).magnitude * 1.4 - 14 }
