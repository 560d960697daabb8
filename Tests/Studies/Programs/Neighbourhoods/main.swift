import Glibc
import Neighbourhoods
import Core
import VirtualDevice

/// `godwit-neighbourhoods [FIRST-SEED [SEEDS [DAYS]]]` prints how well access points learnt on half
/// of the days locate the board on the other half.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let seeds = numbers.count > 1 ? numbers[1] : 4
let days = numbers.count > 2 ? Int(numbers[2]) : 14

func line(_ name: String, _ trials: [NeighbourhoodStudy.Trial], of scans: Int?) {
  let summary = TrialSummary(trials)
  func metres(_ value: Metres) -> String { String(Int(value.value.rounded())) }
  func perCent(_ share: Double) -> String {
    let perMille = Int((share * 1000).rounded())
    return "\(perMille / 10).\(perMille % 10) %"
  }
  let share = scans.map { "\(summary.count * 100 / max(1, $0)) %" } ?? ""
  print(
    "| \(name) | \(summary.count) | \(share) | \(summary.places) | \(metres(summary.median)) "
      + "| \(metres(summary.p90)) | \(metres(summary.medianRadius)) | \(perCent(summary.coverage)) "
      + "| \(perCent(summary.coverageOfScans)) |")
}

let worlds: [(String, AccessPointWorld)] = [
  ("as it is", AccessPointWorld()),
  ("village", AccessPointWorld(perSquare: 2)),
  ("tower blocks", AccessPointWorld(perSquare: 30)),
  ("much missed", AccessPointWorld(misses: 0.6)),
  ("much moved", AccessPointWorld(movesInMonth: 0.2)),
  ("much carried about", AccessPointWorld(mobile: 0.3)),
]
print("seeds \(first)...\(first + seeds - 1), \(days) days of each life")
print(
  "| world | placed | of scans | places | median m | p90 m | radius m | held, of places "
    + "| held, of scans |")
print("|---|---|---|---|---|---|---|---|---|")
for (name, world) in worlds {
  var all = NeighbourhoodStudy()
  for seed in first..<first + seeds {
    for life in Life.all { all.add(life, days: days, seed: seed, world: world) }
  }
  line(name, all.trials, of: all.scans)
  line("\(name), under a roof", all.trials.filter(\.isUnderRoof), of: nil)
  line("\(name), outside", all.trials.filter { !$0.isUnderRoof }, of: nil)
  for (low, high) in [(1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 99)] {
    line(
      "\(name), \(low) to \(high) known",
      all.trials.filter { (low...high).contains($0.accessPoints) }, of: nil)
  }
}
for life in Life.all {
  var study = NeighbourhoodStudy()
  for seed in first..<first + seeds { study.add(life, days: days, seed: seed) }
  line(life.name, study.trials, of: study.scans)
}
