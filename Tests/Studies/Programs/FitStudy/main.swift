import Analysis
import MadeUpBoards
import Core
import Tracking
import VirtualDevice

/// `godwit-fit-study [FIRST-SEED [BOARDS [BOARDS-WITH-WEEKS]]]` prints how well `power fit`
/// estimates generated boards, and how well `simulate` then predicts their energy over three weeks.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let boards = numbers.count > 1 ? numbers[1] : 200
let boardsWithWeeks = numbers.count > 2 ? Int(numbers[2]) : 20
let weeksOfEach = 3

func perCent(_ share: Double) -> String {
  let perMille = Int((share * 1000).rounded())
  return "\(perMille < 0 ? "-" : "")\(abs(perMille) / 10).\(abs(perMille) % 10) %"
}

func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}

var trials: [FitTrial] = []
for seed in first..<first + boards { trials.append(try FitTrial(MadeUpBoard(seed: seed))) }
print("seeds \(first)...\(first + boards - 1)")
print("| parameter | told | covered | median half-width | largest |")
print("|---|---|---|---|---|")
func row(_ name: String, _ told: [FitTrial.Told]) {
  guard !told.isEmpty else { return print("| \(name) | 0 | | | |") }
  let widths = told.map(\.estimate.relativeHalfWidth)
  let covered = Double(told.count(where: \.isCovered)) / Double(told.count)
  print(
    "| \(name) | \(told.count) | \(perCent(covered)) | \(perCent(median(widths))) "
      + "| \(perCent(widths.max() ?? 0)) |")
}
let told = trials.flatMap(\.told)
row("all", told)
for key in FittedParameter.all(of: trials[0].fit).map(\.key) {
  row(key, told.filter { $0.key == key })
}
print("limits that the truth exceeds: \(trials.flatMap(\.brokenLimits).count)")

func summary(_ name: String, _ errors: [Double]) -> String {
  let sizes = errors.map(\.magnitude)
  return "\(name): \(sizes.count { $0 <= 0.03 }) of \(sizes.count) within 3 %, "
    + "median \(perCent(median(sizes))), largest \(perCent(sizes.max() ?? 0)), "
    + "mean \(perCent(errors.reduce(0, +) / Double(errors.count)))"
}

let policies: [(String, PolicySettings)] = [
  ("periodic", .periodic(PeriodicSettings())), ("adaptive", .adaptive(AdaptiveSettings())),
]
for (name, policy) in policies where boardsWithWeeks > 0 {
  var weeks: [WeekComparison] = []
  var sums: [Double] = []
  var sumsByLuck: [Double] = []
  var sumsExpected: [Double] = []
  for (index, trial) in trials.prefix(boardsWithWeeks).enumerated() {
    let own = (0..<weeksOfEach).map { week in
      trial.week(
        of: Life.all[(index + 2 * week) % Life.all.count],
        seed: trial.board.seed * 10 + UInt64(week) + 1_000_000, policy: policy)
    }
    weeks += own
    let sum = WeekComparison(sumOf: own)
    sums.append(sum.error)
    sumsByLuck.append(sum.luck)
    sumsExpected.append(sum.expectedError)
    guard sum.error.magnitude > 0.03 else { continue }
    let off = trial.told.map {
      "\($0.key) \(perCent($0.estimate.value.value / $0.truth - 1))"
    }
    print(
      "\(name), board \(trial.board.seed), three weeks: \(perCent(sum.error)), by luck "
        + "\(perCent(sum.luck)); \(off.joined(separator: ", ")); "
        + "not told: \(trial.untold.joined(separator: ", "))")
  }
  print(summary("\(name), a week, predicted", weeks.map(\.error)))
  print(summary("\(name), a week, by luck alone", weeks.map(\.luck)))
  print(summary("\(name), a week, mean of four", weeks.map(\.expectedError)))
  print(summary("\(name), three weeks, predicted", sums))
  print(summary("\(name), three weeks, by luck alone", sumsByLuck))
  print(summary("\(name), three weeks, mean of four", sumsExpected))
}
