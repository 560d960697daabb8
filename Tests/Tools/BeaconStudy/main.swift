import BeaconExperiment
import Notation
import Quantities
import VirtualDevice

/// `godwit-beacon-study [FIRST-SEED [SEEDS [DAYS]]]`: lives among beacons in virtual time, with
/// each way of listening: how soon coming and going are told, what is told for nothing, in which
/// share of the time the room is right, how often the radio wakes the board, and how long its
/// receiver is on.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let count = numbers.count > 1 ? max(numbers[1], 1) : 2
let days = numbers.count > 2 ? Int(max(numbers[2], 1)) : 7
/// As bluetooth.listening_mW has it.
let power = Watts(0.06)

func share(_ values: [Seconds], _ isGood: (Seconds) -> Bool) -> String {
  guard !values.isEmpty else { return "-" }
  let share = Double(values.count(where: isGood)) / Double(values.count)
  return "\(FixedDecimal.text(share * 100, digits: 1)) %"
}

func seconds(_ values: [Seconds], _ rank: Double) -> String {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return "-" }
  return FixedDecimal.text(
    sorted[Int((Double(sorted.count - 1) * rank).rounded())].value, digits: 0)
}

print("seeds \(first)...\(first + count - 1), \(days) days each")
print(
  "| life | listening | comings | told within 5 s | median / p95 | missed | goings "
    + "| told after 30 ± 5 s | p5 / p95 | false goings a day | room right | wakes an hour "
    + "| receiver on | J a day |")
print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
for life in BeaconLife.names {
  for listening in BeaconListening.allCases {
    let trials = try (first..<first + count).map {
      try BeaconTrial(life, listening, days: days, seed: $0)
    }
    let entries = trials.flatMap(\.entries)
    let exits = trials.flatMap(\.exits)
    let allDays = Double(days * trials.count)
    let rooms = trials.compactMap(\.roomShare)
    let listened = trials.reduce(Seconds(0)) { $0 + $1.listened }
    let right =
      rooms.isEmpty
      ? "-"
      : "\(FixedDecimal.text(rooms.reduce(0, +) / Double(rooms.count) * 100, digits: 1)) %"
    let falseGoings = Double(trials.reduce(0) { $0 + $1.falseExits }) / allDays
    let wakes = Double(trials.reduce(0) { $0 + $1.wakes }) / allDays / 24
    print(
      "| \(life) | \(listening.rawValue) | \(entries.count) | \(share(entries) { $0 <= 5 }) "
        + "| \(seconds(entries, 0.5)) / \(seconds(entries, 0.95)) s "
        + "| \(trials.reduce(0) { $0 + $1.missed }) | \(exits.count) "
        + "| \(share(exits) { $0 >= 25 && $0 <= 35 }) "
        + "| \(seconds(exits, 0.05)) / \(seconds(exits, 0.95)) s "
        + "| \(FixedDecimal.text(falseGoings, digits: 2)) "
        + "| \(right) | \(FixedDecimal.text(wakes, digits: 1)) "
        + "| \(FixedDecimal.text(listened.value / allDays / 864, digits: 1)) % "
        + "| \(FixedDecimal.text(listened.value * power.value / allDays, digits: 0)) |")
  }
}
