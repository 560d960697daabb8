import BeaconExperiment
import Glibc
import Core
import TestSupport
import VirtualDevice

/// `godwit-beacon-study [FIRST-SEED [SEEDS [DAYS]]] [--each] [LIFE…]`: lives among beacons in
/// virtual time, with each listening mode: how soon arrivals and departures are reported, how many
/// reports are false, for which share of the time the room is right, how often the radio wakes the
/// board, and how long its receiver is on. `--each` lists every arrival and departure that was not
/// reported in time; LIFE restricts the run to some lives and listening modes.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let count = numbers.count > 1 ? max(numbers[1], 1) : 2
let days = numbers.count > 2 ? Int(max(numbers[2], 1)) : 7
let listsEach = CommandLine.arguments.contains("--each")
let named = Set(CommandLine.arguments.dropFirst().filter { $0.first?.isLetter == true })
/// The default of bluetooth.listening_mW.
let power = Watts(0.06)

let known = BeaconLife.names + BeaconListening.allCases.map(\.rawValue)
let unknown = named.subtracting(known)
guard unknown.isEmpty else {
  print(
    "\(unknown.sorted().joined(separator: ", ")): neither a life nor a way of listening; there are",
    known.joined(separator: ", "))
  exit(2)
}

/// The named ones; all if none is named.
func some<Kind>(_ all: [Kind], _ name: (Kind) -> String) -> [Kind] {
  let meant = all.filter { named.contains(name($0)) }
  return meant.isEmpty ? all : meant
}

func percent(_ share: Double?) -> String {
  share.map { "\(FixedDecimal.text($0 * 100, digits: 1)) %" } ?? "-"
}

func share(_ passages: [BeaconPassage], _ isGood: (BeaconPassage) -> Bool) -> String {
  guard !passages.isEmpty else { return "-" }
  return percent(Double(passages.count(where: isGood)) / Double(passages.count))
}

func delays(_ passages: [BeaconPassage]) -> Delays { Delays(passages.compactMap(\.delay)) }

func list(_ trial: BeaconTrial, seed: UInt64) {
  for passage in trial.passages where !passage.isInTime {
    let delay = passage.delay.map { FixedDecimal.text($0.value, digits: 1) } ?? "never"
    let due = ISO8601.text(passage.due, digits: 0)
    print("seed \(seed): \(passage.way) \(passage.place) \(due): \(delay)")
  }
}

func row(_ life: String, _ listening: BeaconListening, _ trials: [BeaconTrial]) -> String {
  let passages = trials.flatMap(\.passages)
  let comings = passages.filter { $0.way == .coming }
  let goings = passages.filter { $0.way == .going }
  let allDays = Double(days * trials.count)
  let rooms = trials.compactMap(\.roomShare)
  let right = rooms.isEmpty ? nil : rooms.reduce(0, +) / Double(rooms.count)
  let falseComings = Double(trials.reduce(0) { $0 + $1.falseComings }) / allDays
  let falseGoings = Double(trials.reduce(0) { $0 + $1.falseGoings }) / allDays
  let wakes = Double(trials.reduce(0) { $0 + $1.wakes }) / allDays / 24
  let listened = trials.reduce(Seconds(0)) { $0 + $1.listened }
  let cells = [
    life, listening.rawValue, "\(comings.count)", share(comings, \.isInTime),
    delays(comings).medianAndP95,
    "\(comings.count { $0.told == nil })", "\(goings.count)", share(goings, \.isInTime),
    share(goings, \.isInTimeSinceReceived),
    "\(delays(goings).text(0.05)) / \(delays(goings).text(0.95)) s",
    "\(goings.count { $0.told == nil })", FixedDecimal.text(falseComings, digits: 2),
    FixedDecimal.text(falseGoings, digits: 2),
    percent(right), FixedDecimal.text(wakes, digits: 1),
    percent(listened.value / allDays / 86_400),
    FixedDecimal.text(listened.value * power.value / allDays, digits: 0),
  ]
  return "| \(cells.joined(separator: " | ")) |"
}

let columns = [
  "life", "listening", "comings", "told within 5 s", "median / p95", "never", "goings",
  "told after 30 ± 5 s", "of the last advertisement", "p5 / p95", "never", "false comings a day",
  "false goings a day", "room right", "wakes an hour", "receiver on", "J a day",
]
print("seeds \(first)...\(first + count - 1), \(days) days each")
print("| \(columns.joined(separator: " | ")) |")
print("|\(String(repeating: "---|", count: columns.count))")
for life in some(BeaconLife.names, \.self) {
  for listening in some(BeaconListening.allCases, \.rawValue) {
    let trials = try (first..<first + count).map { seed in
      let trial = try BeaconTrial(life, listening, days: days, seed: seed)
      if listsEach { list(trial, seed: seed) }
      return trial
    }
    print(row(life, listening, trials))
  }
}
