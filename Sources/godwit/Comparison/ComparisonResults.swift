import Core
import Platform
import Analysis

/// The results of the runs so far. Only a few numbers are kept of each run, and totals are
/// accumulated, so that thousands of runs need little memory.
struct ComparisonResults {
  private let plan: ComparisonPlan
  private var results: [RunResult?]
  private(set) var errors: [Int: String] = [:]
  /// For each candidate.
  private var scores: [RunScore]

  init(_ plan: ComparisonPlan) {
    self.plan = plan
    results = Array(repeating: nil, count: plan.count)
    scores = Array(repeating: RunScore(), count: plan.candidates.count)
  }

  mutating func add(_ finished: RunPool.Finished, of index: Int) {
    let messages = String(decoding: finished.messages, as: UTF8.self)
      .split(separator: "\n").map { Self.withoutName(String($0)) }.joined(separator: "; ")
    let json = try? JSONValue(parsing: finished.output)
    guard finished.end == .exit(0) else {
      errors[index] = TerminalText.line(
        json?["error"]?["message"]?.string ?? Self.reason(finished.end, messages))
      return
    }
    guard let json, let figures = RunTotals(json),
      let score = json[ScoreSamples.key].flatMap(ScoreSamples.score)
    else {
      errors[index] = "it printed no summary; was the program replaced by another version?"
      return
    }
    scores[plan[index].candidate].add(score)
    results[index] = RunResult(
      figures: figures, score: score.figures, warning: TerminalText.line(messages),
      curve: SimulatedCharge.points(of: json))
  }

  private static func withoutName(_ line: String) -> String {
    let name = "godwit: "
    return line.hasPrefix(name) ? String(line.dropFirst(name.count)) : line
  }

  private static func reason(_ end: ChildProcess.End?, _ messages: String) -> String {
    switch end {
    case .killed(let signal)?:
      "it was killed by signal \(signal)" + (signal == 9 ? ", perhaps for lack of memory" : "")
    case .exit(let status)? where messages.isEmpty: "it ended with status \(status)"
    default: messages.isEmpty ? "it could not be started" : messages
    }
  }

  /// The first warning of each truth; the other runs over it repeat it.
  var warnings: [(truth: ComparisonPlan.Truth, text: String)] {
    var seen: Set<Int> = []
    return results.enumerated().compactMap { index, result in
      guard let result, !result.warning.isEmpty, seen.insert(plan[index].truth).inserted else {
        return nil
      }
      return (plan.truths[plan[index].truth], result.warning)
    }
  }

  /// The number of runs without known stays.
  var runsWithoutStays: Int { results.count { $0?.score.visits == nil && $0 != nil } }

  // MARK: Lines

  /// One line for each requested candidate, over all its runs.
  func pooled(battery: Joules?) -> [ComparisonLine] {
    plan.candidates.indices.filter { plan.candidates[$0].isListed }.map {
      pooled($0, battery: battery)
    }
  }

  private func indices(of candidate: Int) -> [Int] {
    results.indices.filter { $0 % plan.candidates.count == candidate }
  }

  private func pooled(_ candidate: Int, battery: Joules?) -> ComparisonLine {
    let all = indices(of: candidate)
    let done = all.compactMap { index in results[index].map { (index, $0) } }
    var line = line(.pooled, candidate)
    line.runs = all.count
    line.failed = all.count - done.count
    line.command = plan.words(candidate)
    if all.count == 1 { line.error = errors[all[0]] }
    guard let first = done.first else { return line }
    let sum = done.dropFirst().reduce(into: first.1.figures) { $0.add($1.1.figures) }
    line.figures = sum
    line.score = scores[candidate].figures
    line.energy = estimate(done) { _, run in
      .init(run.figures.energy.value, over: run.figures.days)
    }
    line.share = estimate(done) { index, run in
      reference(of: index).map { .init(run.figures.energy.value, over: $0.figures.energy.value) }
    }
    line.f1 = f1(done, line.score, \.visits)
    line.f1WithinFar = f1(done, line.score, \.visitsFar)
    line.batteryLife = life(of: battery, line.energy.value)
    return line
  }

  private func f1(
    _ runs: [(Int, RunResult)], _ all: ScoreFigures?, _ counts: KeyPath<ScoreFigures, VisitCounts?>
  ) -> ComparisonLine.Estimate {
    var f1 = estimate(runs) { _, run in
      run.score[keyPath: counts].map {
        .init(Double(2 * $0.found), over: Double(2 * $0.found + $0.missed + $0.invented))
      }
    }
    // Nothing to find and nothing found: no ratio, but no error either.
    f1.value = f1.value ?? all?[keyPath: counts]?.f1
    return f1
  }

  /// One line for each run of the requested candidates, truth by truth.
  func single(battery: Joules?, stores: (Int) -> String?) -> [ComparisonLine] {
    results.indices.filter { plan.candidates[plan[$0].candidate].isListed }.map { index in
      let run = plan[index]
      var line = line(.run, run.candidate)
      line.truth = plan.truths[run.truth]
      line.seed = run.seed
      line.runs = 1
      line.command = plan.words(run)
      line.error = errors[index]
      line.failed = line.error == nil ? 0 : 1
      guard let result = results[index] else { return line }
      line.warning = result.warning.isEmpty ? nil : result.warning
      line.store = stores(index)
      line.figures = result.figures
      line.curve = result.curve
      line.score = result.score
      line.energy.value = result.figures.perDay(result.figures.energy.value)
      line.share.value = reference(of: index).flatMap {
        $0.figures.energy > 0 ? result.figures.energy / $0.figures.energy : nil
      }
      line.f1.value = result.score.visits?.f1
      line.f1WithinFar.value = result.score.visitsFar?.f1
      line.batteryLife = life(of: battery, line.energy.value)
      return line
    }
  }

  private func line(_ kind: ComparisonLine.Kind, _ candidate: Int) -> ComparisonLine {
    let one = plan.candidates[candidate]
    return ComparisonLine(
      kind: kind, policy: one.policy,
      settings: one.assignments.map { assignment in
        let key = assignment.prefix { $0 != "=" }
        let name = key.split(separator: ".").last.map(String.init) ?? ""
        return name + String(assignment.dropFirst(key.count))
      })
  }

  private func reference(of index: Int) -> RunResult? {
    let run = plan[index]
    return results[
      plan.index(
        of: ComparisonPlan.Run(
          candidate: plan.references[run.candidate], truth: run.truth, seed: run.seed))]
  }

  private func life(of battery: Joules?, _ perDay: Double?) -> Seconds? {
    guard let battery, let perDay, perDay > 0 else { return nil }
    return .days(battery.value / perDay)
  }

  /// The unit is the truth if there are several, so that one with several seeds counts once; else
  /// the seed.
  private func estimate(
    _ runs: [(Int, RunResult)], _ part: (Int, RunResult) -> RatioOfSums.Part?
  ) -> ComparisonLine.Estimate {
    var parts: [UInt64: RatioOfSums.Part] = [:]
    for (index, run) in runs {
      guard let part = part(index, run) else { continue }
      let unit = plan.truths.count > 1 ? UInt64(plan[index].truth) : plan[index].seed
      var sum = parts[unit] ?? RatioOfSums.Part(0, over: 0)
      sum.numerator += part.numerator
      sum.denominator += part.denominator
      parts[unit] = sum
    }
    let ratio = RatioOfSums(parts.sorted { $0.key < $1.key }.map(\.value))
    return ComparisonLine.Estimate(value: ratio.value, margin: ratio.margin95)
  }
}
