import Config
import GodwitSettings
import Core
import Platform

/// The runs of a comparison, and the command of each.
struct ComparisonPlan {
  /// A policy with the values of its varied settings.
  struct Candidate: Hashable {
    let policy: String
    /// The varied settings as `section.key=value`.
    let assignments: [String]
    /// Whether it was requested; the reference may have been added.
    var isListed = true
  }

  /// The ground truth of a run.
  enum Truth: Hashable {
    case trace(String)
    case life(String)

    var name: String {
      switch self {
      case .trace(let path): path
      case .life(let name): name
      }
    }

    /// The file name of a trace without its folder.
    var shortName: String { PathParts(name).name }
  }

  struct Run: Hashable, Sendable {
    let candidate: Int
    let truth: Int
    let seed: UInt64
  }

  /// A larger comparison would be a mistake.
  static let mostRuns = 1_000_000
  /// The policy that all others are compared with.
  static let reference = "continuous"

  let candidates: [Candidate]
  /// For each candidate, the index of the one that tracks continuously under the same settings of
  /// the board.
  let references: [Int]
  let truths: [Truth]
  /// For each truth, whether a file has its true stays.
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
          "--sweep: more than \(Sweep.mostValues) combinations; use fewer values")
      }
      candidates += Self.combinations(own).map { Candidate(policy: policy, assignments: $0) }
    }
    var references: [Int] = []
    for candidate in candidates {
      // A policy's own settings have no effect on another policy.
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

  /// Checks the settings of all candidates before the first run.
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

  /// Runs of one truth are consecutive, so that its file is still cached for the next run.
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

  /// The command for this run alone, without its store.
  func words(_ run: Run) -> [String] {
    var words = ["simulate"]
    words += self.words(of: truths[run.truth])
    words += self.words(of: candidates[run.candidate])
    words += ["--seed", "\(run.seed)"]
    words += command.passedOn
    words += hasWrittenStays[run.truth] ? stays : ["--score"]
    return words
  }

  /// The command for all runs of this candidate and of its reference.
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

  /// Protects a path that looks like an option.
  fileprivate static func path(_ path: String) -> String {
    path.hasPrefix("-") ? "./" + path : path
  }
}

extension SimulateCommand {
  /// The options that every run of a comparison receives.
  var passedOn: [String] {
    let around = places.map { ["--places", ComparisonPlan.path($0)] } ?? []
    return options.words + sources.words + traceOptions.words + traceTruth.words + around
      + (bound ? ["--bound"] : [])
  }
}
