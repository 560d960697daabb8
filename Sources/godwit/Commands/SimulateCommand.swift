import ArgumentParser
import Formats
import GodwitSettings
import Notation
import Ports
import PowerControl
import Quantities
import Runtime
import Store
import Tracking
import VirtualDevice

struct SimulateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Try a policy on a virtual board, in virtual time.",
    discussion: """
      A dense trace is the ground truth (NMEA, gpsd JSON, GPX, PLT, CSV with a header); without \
      one, the synthetic days of a life are. The virtual receiver only sends while it is powered \
      and has acquired, so that the store contains what the schedule would have seen.
      """)

  @Argument(help: "The ground truth: a dense trace.", completion: .file()) var trace: String?
  @OptionGroup var options: ConfigOptions
  @Option(
    help: "\(PolicyChoice.names.joined(separator: ", ")); overrides policy.name.",
    completion: .list(PolicyChoice.names))
  var policy: String?
  @Option(parsing: .unconditional, help: "The same seed gives the same run.") var seed: UInt64 = 1
  @OptionGroup var life: LifeOptions
  @OptionGroup var truthOptions: TruthOptions
  @OptionGroup var sources: SourceOptions
  @Option(
    help: ArgumentHelp("Store file; must not exist yet.", valueName: "file"),
    completion: .file(extensions: ["gpkg"]))
  var store: String
  @Flag(help: "Make every transaction survive a power cut, as the daemon does. Slower.")
  var durable = false
  @Flag(
    help: """
      Compute the least energy that any schedule could have used to know this truth, and one that \
      knows no future; for a trajectory error of policy.adaptive.trajectory_error_m, and a fix \
      within a minute of every arrival and departure.
      """)
  var bound = false
  @Flag(help: "Print the summary as one JSON object.") var json = false

  func run() throws {
    let configuration = try options.load()
    let switchKind = configuration.origin(of: "power_switch.kind")
    let composition = Composition(
      settings: configuration.settings, world: .virtual(namesSwitch: switchKind != .builtIn))
    var provenance = Provenance(kind: .simulated, configuration: configuration)
    let powerSwitch = VirtualSwitchReport(
      kind: composition.settings.powerSwitch.kind, origin: switchKind,
      canRest: PowerSequencer(composition.wiring).capabilities.canRest)
    provenance.powerSwitch = powerSwitch.effective
    let policy = try chosenPolicy(composition.settings)
    let kinds = try sources.kinds()
    let files = try truthOptions.files(
      beside: ProtectedStores([store, composition.settings.store.path]), trace: trace)
    let truth = try makeTruth(composition)
    files.follow(
      truth.groundTruth, shortestStay: composition.settings.pipeline.dwell.minDwell)
    let virtual = VirtualBoard(
      groundTruth: truth.groundTruth,
      settings: VirtualBoardSettings(
        receiver: composition.virtualReceiver, lines: composition.virtualLines,
        coarse: kinds.isDisjoint(with: [.network, .cell])
          ? nil
          : coarseSettings(composition.settings.policy.constants[HybridSettings.self]),
        sources: kinds, seed: seed))
    let search = bound ? virtual.energyBoundSearch(within: errorLimits(composition.settings)) : nil
    let run = try NewStore.fill(
      store, beside: composition.stores, durability: durable ? .everyWrite : .onceInAWhile
    ) {
      let run = try simulate(
        truth, on: virtual, policy: policy, composition: composition, into: $0,
        passing: {
          search?.follow(to: $0)
          files.passing($0)
        })
      provenance.policy = run.policy
      provenance.details = try truth.provenance() + details(kinds)
      try $0.write([provenance.record])
      return run
    }
    let end = virtual.time(at: run.end)
    var summary = TraceSummary(run: run, provenance: provenance, losses: truth.losses())
    summary.virtualSwitch = powerSwitch
    if let search {
      summary.bound = BoundReport(
        bound: search.bound(at: end, after: run.duration), energy: run.energy)
    }
    if let trace { summary.warn(path: trace) }
    warn(ofRefused: truth.refused())
    try files.finish(at: end, stays: truth.stays())
    try OutputBytes.print(json ? summary.json.text : summary.text)
  }

  /// What decides about the run besides settings and truth.
  private func details(_ kinds: Set<SourceKind>) -> [(String, JSONValue)] {
    [
      ("seed", .number(Double(seed))),
      ("sources", .array(kinds.map(\.rawValue).sorted().map { .string($0) })),
    ]
  }

  /// A trace that is not in the order of time would otherwise be silently shortened.
  private func warn(ofRefused count: Int) {
    guard let trace, count > 0 else { return }
    var messages = StandardError()
    print(
      "godwit: \(trace): left out "
        + Counted.text(count, "position that is", "positions that are")
        + " not later than the one before, or not on Earth; sort the trace by time if that is too "
        + "many", to: &messages)
  }

  private func simulate(
    _ truth: Truth, on virtual: VirtualBoard, policy: PolicySettings, composition: Composition,
    into store: GeoPackageStore, passing: (UTCInstant) -> Void
  ) throws -> RunSummary {
    var devices = Devices(
      receiver: virtual.receiver, powerSwitch: virtual.powerSwitch, monitor: virtual.monitor,
      evidence: virtual.sources + [virtual.coarse].compactMap { $0 }, store: store)
    devices.sourcesEnergy = { virtual.sourcesEnergy }
    devices.sourcesPower = virtual.sourcesPower
    var decoding = composition.decoderOptions
    decoding.earliestDate = nil
    let runtime = try composition.runtime(
      devices: devices, decoderOptions: decoding, policy: policy, at: virtual.clock.now)
    let progress = ProgressLine(label: "simulating")
    let world = BoardWorld(virtual)
    let end = VirtualLoop(world, runtime: runtime).run(until: truth.limit) {
      progress.show(virtual.clock.time(at: $0))
      passing(virtual.clock.time(at: $0))
    }
    progress.clear()
    if let failure = truth.failure() { throw failure }
    if let failure = runtime.storeHealth.failure { throw CommandError.failed(failure) }
    var summary = RunSummary(runtime, duration: end - .zero, end: end)
    summary.sourcesEnergy = virtual.sourcesEnergy
    return summary
  }

  /// The paper's source of significant-change locations, as often as the settings say.
  private func coarseSettings(_ hybrid: HybridSettings) -> VirtualCoarseSettings {
    VirtualCoarseSettings(
      interval: hybrid.significantInterval, distance: hybrid.significantDistance)
  }

  /// What the adaptive policy is to find out, whatever policy is tried.
  private func errorLimits(_ settings: Settings) -> ErrorLimits {
    ErrorLimits(
      trajectory: settings.policy.constants[AdaptiveSettings.self].trajectoryError,
      minStay: settings.pipeline.dwell.minDwell)
  }

  private func chosenPolicy(_ settings: Settings) throws -> PolicySettings {
    guard let policy else { return settings.policy.chosen }
    guard PolicyChoice.names.contains(policy) else {
      let names = PolicyChoice.names.joined(separator: ", ")
      throw CommandError.wrongUsage("--policy: there is no policy '\(policy)'; policies: \(names)")
    }
    var chosen = settings.policy
    chosen.name = policy
    return chosen.chosen
  }

  private func makeTruth(_ composition: Composition) throws -> Truth {
    guard let trace else {
      let groundTruth = try life.groundTruth(seed: seed)
      return Truth(
        groundTruth: groundTruth, limit: .zero + .days(Double(life.dayCount)),
        stays: { groundTruth.completedStays }, provenance: { life.provenance },
        failure: { nil }, refused: { 0 }, losses: { nil })
    }
    try life.refuseBesideTrace()
    var decoding = composition.decoderOptions
    decoding.earliestDate = nil
    let file = try TraceFile(trace, decoderOptions: decoding)
    let groundTruth = TraceTruth {
      file.nextSample().map {
        TruthSample(
          time: $0.time, position: $0.position, altitude: $0.altitude, speed: $0.speed,
          accuracy: $0.accuracy)
      }
    }
    guard let groundTruth else {
      throw file.failure ?? file.holdsNothing
    }
    return Truth(
      groundTruth: groundTruth, limit: .zero + .days(36_600), stays: { [] },
      provenance: { [("trace", try file.provenance())] }, failure: { file.failure },
      refused: { groundTruth.samplesRefused }, losses: { file.losses })
  }
}

/// The ground truth that the virtual board follows, and for how long at most.
struct Truth {
  let groundTruth: any GroundTruth
  let limit: BootInstant
  /// What a visit detector ought to find; empty where the truth does not say.
  let stays: () -> [PlannedStay]
  /// What it is.
  let provenance: () throws -> [(String, JSONValue)]
  let failure: () -> CommandError?
  /// How many positions of the trace could not be used so far.
  let refused: () -> Int
  /// What could not be read in the trace so far.
  let losses: () -> TraceLosses?
}

/// The virtual board as the world that the loop drives.
final class BoardWorld: VirtualWorld {
  private let board: VirtualBoard

  init(_ board: VirtualBoard) { self.board = board }

  var now: BootInstant { board.clock.now }
  var nextEvent: BootInstant? { board.nextEvent }
  var end: BootInstant? { board.end }
  func advance(to instant: BootInstant) { board.advance(to: instant) }
}

/// What else than GNSS the virtual board has to tell of motion and surroundings.
struct SourceOptions: ParsableArguments {
  private static let names = SourceKind.allCases.map(\.rawValue).joined(separator: ",")

  @Option(
    help: ArgumentHelp(
      "What the board has beside GNSS: none (if not given), all, or some of \(names). Network and "
        + "cell give rough locations, too.", valueName: "list"),
    completion: .list(["none", "all"] + SourceKind.allCases.map(\.rawValue)))
  var sources: String?
  @Flag(help: "Short for --sources network,cell.") var coarse = false

  func kinds() throws(CommandError) -> Set<SourceKind> {
    guard let sources else { return coarse ? [.network, .cell] : [] }
    guard !coarse else {
      throw .wrongUsage("--coarse is short for --sources network,cell: give one of them")
    }
    if sources == "none" { return [] }
    if sources == "all" { return Set(SourceKind.allCases) }
    var kinds: Set<SourceKind> = []
    for name in sources.split(separator: ",", omittingEmptySubsequences: false) {
      guard let kind = SourceKind(rawValue: String(name)) else {
        throw .wrongUsage(
          "--sources: there is no source '\(name)'; give none, all, or some of \(Self.names)")
      }
      guard kinds.insert(kind).inserted else {
        throw .wrongUsage(
          "--sources: '\(name)' is given twice; give none, all, or some of \(Self.names)")
      }
    }
    return kinds
  }
}
