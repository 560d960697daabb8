import IndoorStays
import Quantities
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
