import Config
import Formats
import Glibc
import GodwitSettings
import Core
import Platform
import Tracking

/// `godwit simulate` over several policies, traces, lives, seeds or values of a setting: each run
/// is a separate process, with exactly the command that the table shows for it.
struct Comparison {
  private let command: SimulateCommand
  private let configuration: Configuration<Settings>
  private let plan: ComparisonPlan

  /// - Parameters:
  ///   - policies: "" stands for that of the settings.
  ///   - lives: empty if there are traces.
  /// - Throws: any error that can be detected before the first run.
  init(
    _ command: SimulateCommand, _ policies: [String], lives: [String],
    configuration: Configuration<Settings>
  ) throws {
    self.command = command
    self.configuration = configuration
    try Self.refuseOptions(command)
    var truths = lives.map { ComparisonPlan.Truth.life($0) }
    var written = truths.map { _ in false }
    if lives.isEmpty {
      let traces = try TraceList(command.traces)
      written = try Self.hasStays(command.scoring.stays, traces)
      truths = traces.paths.map { .trace($0) }
    }
    let declared = DeclaredSettings(in: configuration.settings)
    let sweeps = try command.comparison.sweep.map { try Sweep($0, of: declared) }
    for sweep in sweeps {
      guard !command.options.assignments.contains(where: { $0.hasPrefix(sweep.key + "=") }),
        sweeps.count(where: { $0.key == sweep.key }) == 1
      else {
        throw CommandError.wrongUsage(
          "--sweep \(sweep.key): it is set or swept twice; leave one of them out")
      }
    }
    plan = try ComparisonPlan(
      command, policies: policies.map { $0.isEmpty ? configuration.settings.policy.name : $0 },
      sweeps: sweeps, truths: truths, hasWrittenStays: written)
    try plan.check()
  }

  private static func refuseOptions(_ command: SimulateCommand) throws {
    try command.comparison.check()
    _ = try command.sources.kinds()
    if let places = command.places { _ = try SuppliedPlaces(path: places) }
    if command.traces.isEmpty {
      try command.life.check()
      guard command.scoring.stays == nil else {
        _ = try command.scoring.stays(of: nil)
        return
      }
    } else {
      try command.life.refuseBesideTrace()
    }
    if let option = command.truthOptions.firstOption {
      throw CommandError.wrongUsage(
        "\(option) needs a single run: several would write the same file")
    }
    guard !command.durable || command.store != nil else {
      throw CommandError.wrongUsage("--durable: there is no store; add --store, or leave it out")
    }
  }

  /// For each trace, whether its stays are known.
  private static func hasStays(_ path: String?, _ traces: TraceList) throws -> [Bool] {
    var messages = StandardError()
    let stays = try path.map { try WrittenStays($0, isKnown: false) }
    let files = traces.paths.map { stays?.file(for: $0) }
    let used = Set(files.compactMap { $0 } + [path].compactMap { $0 })
    let others = traces.others.filter { !used.contains($0) }
    if !others.isEmpty {
      let files = Counted.text(others.count, "non-trace file", "non-trace files")
      print("godwit: left out \(files): \(some(others))", to: &messages)
    }
    guard let path, let stays else { return files.map { _ in false } }
    guard files.contains(where: { $0 != nil }) else {
      throw CommandError.failed(
        "--stays \(path): it has no stays of any of the traces; its column trace, or the names "
          + "in the folder, must be the names of the traces")
    }
    guard traces.paths.count == 1 || !stays.isOfOneTrace else {
      throw CommandError.failed(
        "--stays \(path): the stays name no trace; for several traces add a column trace with "
          + "their names, or use a folder with a file for each")
    }
    let names = Dictionary(grouping: traces.paths, by: WrittenStays.baseName)
    if let same = names.values.first(where: { $0.count > 1 }) {
      throw CommandError.failed(
        "--stays \(path): \(WrittenStays.baseName(same[0])) is ambiguous: there are \(same[0]) "
          + "and \(same[1]); rename one, or compare them separately")
    }
    let unlisted = stays.unlistedTraces(among: traces.paths)
    if !unlisted.isEmpty {
      print(
        "godwit: \(path): left out the stays of "
          + "\(Counted.text(unlisted.count, "trace that is", "traces that are")) not compared: "
          + some(unlisted), to: &messages)
    }
    return files.map { $0 != nil }
  }

  /// The first few of many names.
  private static func some(_ names: [String]) -> String {
    let first = names.prefix(3).map { TerminalText.line($0) }.joined(separator: ", ")
    return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
  }

  // MARK: The runs

  func run() throws {
    let outputs = try outputs()
    let stores = try command.store.map { try StoreFolder($0, plan) }
    let jobs = command.comparison.jobs ?? Int(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    var results = ComparisonResults(plan)
    let progress = CountedProgress(plan.count)
    RunPool(jobs: jobs).run(plan.count) { index in
      let store = stores?.store(index).map { ["--store", $0] } ?? []
      let durable = command.durable && !store.isEmpty ? ["--durable"] : []
      let curve = isPlotted ? ["--with-charge-curve"] : []
      var words = plan.words(plan[index])
      words += ["--json", "--is-for-comparison"]
      return words + store + durable + curve
    } finished: { index, finished in
      results.add(finished, of: index)
      progress.next()
    }
    progress.clear()
    try report(results, stores, to: outputs)
  }

  /// With more lines than this, a plot is unreadable.
  private static let mostPlotted = 60

  private var isPlotted: Bool {
    command.comparison.html != nil && plan.count <= Self.mostPlotted
  }

  private func outputs() throws -> (csv: AtomicFile?, html: AtomicFile?) {
    let others = command.options.protected()
    func file(_ path: String?, _ option: String) throws -> AtomicFile? {
      guard let path else { return nil }
      try others.refuse(path, namedBy: option)
      if let trace = plan.truths.first(where: { $0.isFile(path) }) {
        throw CommandError.wrongUsage(
          "\(option) \(path): that is the trace \(trace.name); name another file")
      }
      return try AtomicFile(path: path)
    }
    return (
      try file(command.comparison.csv, "--csv"), try file(command.comparison.html, "--html")
    )
  }

  private func report(
    _ results: ComparisonResults, _ stores: StoreFolder?,
    to outputs: (csv: AtomicFile?, html: AtomicFile?)
  ) throws {
    let battery = Battery(command.comparison.battery, configuration.settings)
    var provenance = Provenance(kind: .simulated, configuration: configuration)
    provenance.powerSwitch = powerSwitch.effective
    provenance.policy = Set(plan.candidates.filter(\.isListed).map(\.policy)).sorted()
      .joined(separator: ",")
    let report = ComparisonReport(
      pooled: results.pooled(battery: battery?.energy),
      single: results.single(battery: battery?.energy) { stores?.store($0) },
      notes: notes(results, battery), provenance: provenance)
    if let csv = outputs.csv {
      try csv.write(report.csv)
      try csv.commit()
    }
    if let html = outputs.html {
      try html.write(report.page)
      try html.commit()
    }
    warn(results)
    if command.json {
      var output = OutputBytes(descriptor: STDOUT_FILENO, name: "standard output")
      try report.writeJSON(&output)
    } else {
      try OutputBytes.print(report.text)
    }
    guard let first = results.errors.min(by: { $0.key < $1.key }) else { return }
    throw CommandError.failed(
      "\(results.errors.count) of \(Counted.text(plan.count, "run")) failed; the first, over "
        + "\(plan.truths[plan[first.key].truth].name): \(first.value)")
  }

  private var powerSwitch: VirtualSwitchReport {
    VirtualSwitchReport(configuration, Composition(simulating: configuration))
  }

  private func warn(_ results: ComparisonResults) {
    let warnings = results.warnings
    var messages = StandardError()
    for warning in warnings.prefix(10) { print("godwit: \(warning.text)", to: &messages) }
    if warnings.count > 10 {
      print("godwit: \(warnings.count - 10) more traces have warnings", to: &messages)
    }
  }

  private func notes(_ results: ComparisonResults, _ battery: Battery?) -> [String] {
    let unlisted = plan.candidates.count { !$0.isListed } * plan.seedCount * plan.truths.count
    var notes = [
      "\(Counted.text(plan.count, "run")) over "
        + Counted.text(
          plan.truths.count, command.traces.isEmpty ? "life" : "trace",
          command.traces.isEmpty ? "lives" : "traces")
        + " with \(Counted.text(plan.seedCount, "seed")) each",
      "J: receiver and sources; mAh: the receiver's. % CONT.: of the energy of continuous tracking"
        + (unlisted > 0 ? " (\(Counted.text(unlisted, "run")) made for it)" : ""),
      powerSwitch.text,
    ]
    if plan.truths.count > 1 || plan.seedCount > 1 {
      notes.append(
        "±: 95 % interval over the "
          + (plan.truths.count == 1 ? "seeds" : command.traces.isEmpty ? "lives" : "traces"))
    }
    let shortest = configuration.settings.pipeline.dwell.minDwell
    notes.append(
      "P, R, F1: visits of at least \(FixedDecimal.text(shortest.value, digits: 0)) s that agree "
        + "with a true stay by half; ARRIVAL, DEPART.: their errors, median/p90")
    notes.append(
      "ROUTE: distance at the same moment under way, every 10 s, median/p95; - where nothing was "
        + "stored")
    if results.runsWithoutStays > 0 {
      notes.append(
        "no visits are scored in \(Counted.text(results.runsWithoutStays, "run")): the true "
          + "stays are not known (--stays)")
    }
    if let battery { notes.append(battery.note) }
    return notes + [
      "made by godwit \(Godwit.configuration.version): "
        + ShellWords.line(
          ["godwit"] + ((try? ProgramArguments.all()) ?? []).map(Provenance.withoutSecret))
    ]
  }
}

extension ComparisonPlan.Truth {
  /// Whether the file is this truth's trace.
  fileprivate func isFile(_ path: String) -> Bool {
    guard case .trace(let trace) = self, let identity = FileIdentity(path: path) else {
      return false
    }
    return identity == FileIdentity(path: trace)
  }
}

/// The battery that lifetimes are computed for.
struct Battery {
  let charge: Coulombs
  let voltage: Volts

  /// - Parameter given: in mAh; nil: that of the settings' budget. The result is nil if neither has
  ///   one.
  init?(_ given: Double?, _ settings: Settings) {
    let budget = settings.policy.constants[AdaptiveSettings.self].budget
    guard let charge = given.map({ Coulombs(milliampereHours: $0) }) ?? budget.charge else {
      return nil
    }
    self.charge = charge
    voltage = budget.voltage
  }

  var energy: Joules { charge * voltage }

  var note: String {
    "DAYS: for which a battery of \(FixedDecimal.text(charge.milliampereHours, digits: 0)) mAh at "
      + "\(FixedDecimal.text(voltage.value, digits: 1)) V supplies receiver and sources, without "
      + "the rest of the board"
  }
}
