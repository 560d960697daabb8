import Config
import GodwitSettings
import Core
import Platform

/// Which runs a comparison is made of, and the command of each.
struct ComparisonPlan {
  /// A policy with the values that it is tried with.
  struct Candidate: Hashable {
    let policy: String
    /// `section.key=value`, of the settings that vary.
    let assignments: [String]
    /// Whether it was asked for; the reference may not have been.
    var isListed = true
  }

  /// Where the board really was.
  enum Truth: Hashable {
    case trace(String)
    case life(String)

    var name: String {
      switch self {
      case .trace(let path): path
      case .life(let name): name
      }
    }

    /// Of a trace without its folder.
    var shortName: String { PathParts(name).name }
  }

  struct Run: Hashable, Sendable {
    let candidate: Int
    let truth: Int
    let seed: UInt64
  }

  /// A comparison of more would be a mistake.
  static let mostRuns = 1_000_000
  /// What all are measured against.
  static let reference = "continuous"

  let candidates: [Candidate]
  /// Of each candidate, the one that tracks continuously under the same settings of the board.
  let references: [Int]
  let truths: [Truth]
  /// Of each truth, whether its stays have been written down.
  let hasWrittenStays: [Bool]
  private let command: SimulateCommand

  init(
    _ command: SimulateCommand, policies: [String], sweeps: [Sweep], truths: [Truth],
    hasWrittenStays: [Bool]
  ) throws(CommandError) {
    self.command = command
    self.truths = truths
    self.hasWrittenStays = hasWrittenStays
    for sweep in sweeps {
      guard let policy = sweep.policy, !policies.contains(policy) else { continue }
      throw .wrongUsage(
        "--sweep \(sweep.key): none of the policies reads it; add \(policy) to --policy")
    }
    var candidates: [Candidate] = []
    for policy in policies {
      let own = sweeps.filter { $0.policy == nil || $0.policy == policy }
      guard own.reduce(1.0, { $0 * Double($1.values.count) }) <= Double(Sweep.mostValues) else {
        throw .wrongUsage(
          "--sweep: more than \(Sweep.mostValues) combinations; give fewer values")
      }
      candidates += Self.combinations(own).map { Candidate(policy: policy, assignments: $0) }
    }
    var references: [Int] = []
    for candidate in candidates {
      // Settings of a policy are nothing to another one.
      let shared = candidate.assignments.filter { assignment in
        sweeps.contains { $0.policy == nil && assignment.hasPrefix($0.key + "=") }
      }
      let found = candidates.firstIndex {
        $0.policy == Self.reference && $0.assignments == shared
      }
      if found == nil {
        candidates.append(
          Candidate(policy: Self.reference, assignments: shared, isListed: false))
      }
      references.append(found ?? candidates.count - 1)
    }
    references += candidates.indices.dropFirst(references.count)
    self.candidates = candidates
    self.references = references
    guard count <= Self.mostRuns else {
      throw .wrongUsage("these are \(count) runs; \(Self.mostRuns) at most: compare fewer")
    }
  }

  private static func combinations(_ sweeps: [Sweep]) -> [[String]] {
    sweeps.reduce([[]]) { combinations, sweep in
      combinations.flatMap { one in sweep.values.map { one + ["\(sweep.key)=\($0)"] } }
    }
  }

  /// Settings that are refused stop a comparison before it begins, not in each of its runs.
  func check() throws(CommandError) {
    for candidate in candidates where !candidate.assignments.isEmpty {
      var options = command.options
      options.assignments += candidate.assignments
      do {
        _ = try options.load()
      } catch let error as CommandError {
        throw .wrongUsage("--sweep: \(error.message)")
      } catch {
        throw .failed("\(error)")
      }
    }
  }

  // MARK: The runs

  var seedCount: Int { command.comparison.seeds ?? 1 }

  var count: Int {
    let perTruth = candidates.count.multipliedReportingOverflow(by: seedCount)
    let all = perTruth.partialValue.multipliedReportingOverflow(by: truths.count)
    return perTruth.overflow || all.overflow ? .max : all.partialValue
  }

  /// One truth after the other, so that it is still in memory when the next run reads it.
  subscript(index: Int) -> Run {
    let perTruth = candidates.count * seedCount
    let rest = index % perTruth
    return Run(
      candidate: rest % candidates.count, truth: index / perTruth,
      seed: command.seed &+ UInt64(rest / candidates.count))
  }

  func index(of run: Run) -> Int {
    (run.truth * seedCount + Int(run.seed &- command.seed)) * candidates.count + run.candidate
  }

  // MARK: Commands

  /// That makes this run alone, without its store.
  func words(_ run: Run) -> [String] {
    var words = ["simulate"]
    words += self.words(of: truths[run.truth])
    words += self.words(of: candidates[run.candidate])
    words += ["--seed", "\(run.seed)"]
    words += command.passedOn
    words += hasWrittenStays[run.truth] ? stays : ["--score"]
    return words
  }

  /// That makes all runs of this candidate, and those of its reference.
  func words(_ candidate: Int) -> [String] {
    if truths.count == 1, seedCount == 1 {
      return words(Run(candidate: candidate, truth: 0, seed: command.seed))
    }
    let lives = truths.compactMap { truth -> String? in
      if case .life(let name) = truth { name } else { nil }
    }
    var words = ["simulate"]
    if lives.isEmpty {
      words += command.traces.map(Self.path)
    } else {
      words += ["--life", lives.joined(separator: ",")]
      words += command.life.dayWords
    }
    words += self.words(of: candidates[candidate])
    words += ["--seed", "\(command.seed)", "--seeds", "\(seedCount)"]
    words += command.passedOn
    words += stays
    return words
  }

  private var stays: [String] { command.scoring.stays.map { ["--stays", $0] } ?? [] }

  private func words(of truth: Truth) -> [String] {
    switch truth {
    case .trace(let path): [Self.path(path)]
    case .life(let name): ["--life", name] + command.life.dayWords
    }
  }

  private func words(of candidate: Candidate) -> [String] {
    ["--policy", candidate.policy] + candidate.assignments.flatMap { ["--set", $0] }
  }

  /// A name that looks like an option is none.
  fileprivate static func path(_ path: String) -> String {
    path.hasPrefix("-") ? "./" + path : path
  }
}

extension SimulateCommand {
  /// What every run of a comparison has of its options.
  var passedOn: [String] {
    let around = places.map { ["--places", ComparisonPlan.path($0)] } ?? []
    return options.words + sources.words + traceOptions.words + traceTruth.words + around
      + (bound ? ["--bound"] : [])
  }
}
