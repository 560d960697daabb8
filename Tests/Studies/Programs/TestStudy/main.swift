import Core

/// `godwit-test-study [FIRST-SEED [TESTS]]` generates whole energy tests and recordings, reads and
/// reports them like real ones, and counts how often their 95 % intervals contain the truth.
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let first = numbers.first ?? 1
let seeds = first..<first + (numbers.count > 1 ? numbers[1] : 2000)

print("seeds \(seeds.lowerBound)...\(seeds.upperBound - 1) of each line")
print("| scatter | runs | method | mean | difference | state `tracking` | state `off` |")
print("|---|---|---|---|---|---|---|")
for scatter in Scatter.allCases {
  for runs in [3, 6, 10] { print(try scatter.row(runs: runs, seeds: seeds)) }
}
print("| rounds | runs | mean | in all | difference, paired | doubted | difference, the others |")
print("|---|---|---|---|---|---|---|")
for rounds in Rounds.allCases {
  for runs in [3, 6, 12] { print(try rounds.row(runs: runs, seeds: seeds)) }
}
print("| load | recorded for | scatter mAh | ± statistical mAh | as good as | in all (95 %) |")
print("|---|---|---|---|---|---|")
for load in Load.allCases {
  for duration in [10, 60, 300] {
    print(load.row(of: Seconds(Double(duration)), seeds: seeds))
  }
}
