import CLinux
import Formats
import GodwitSettings
import Core
import Ports
import Runtime
import Analysis
import Store
import Tracking
import VirtualDevice

extension SimulateCommand {
  /// One run, with a store or with a score only.
  func runOnce() throws {
    if scoring.isForComparison { godwit_end_with_parent() }
    try checkOutputs()
    let configuration = try options.load()
    let composition = Composition(simulating: configuration)
    var provenance = Provenance(kind: .simulated, configuration: configuration)
    let powerSwitch = VirtualSwitchReport(configuration, composition)
    provenance.powerSwitch = powerSwitch.effective
    let kinds = try sources.kinds()
    let files = try truthOptions.files(
      beside: options.protected(with: store.map { [$0] } ?? []), trace: trace)
    let truth = try makeTruth(composition)
    let shortestStay = composition.settings.pipeline.dwell.minDwell
    files.follow(truth.groundTruth, shortestStay: shortestStay)
    let (given, written) = (
      try suppliedPlaces(for: composition.settings), try scoring.stays(of: trace)
    )
    let beacons = SimulatedBeacons(given?.places ?? [], composition.settings, seed: seed)
    let virtual = makeBoard(truth, composition, kinds, beacons)
    let search = bound ? virtual.energyBoundSearch(within: errorLimits(composition.settings)) : nil
    var score: RunScoring?
    let charge = scoring.withChargeCurve ? SimulatedCharge() : nil
    let run = try fill(options.protected()) { store in
      if let store { try given?.put(into: store) }
      let source = StoreSource(store)
      let scoring =
        isScored
        ? RunScoring(
          truth.groundTruth, shortestStay: shortestStay, written: written, records: source) : nil
      score = scoring
      let run = try simulate(
        truth, on: virtual, composition: composition,
        into: scoring == nil && store == nil ? nil : source,
        charge: charge,
        passing: {
          search?.follow(to: $0)
          files.passing($0)
          scoring?.passing($0)
        })
      provenance.policy = run.policy
      provenance.details = try truth.provenance() + details(kinds)
      try store?.write([provenance.record])
      return run
    }
    let end = virtual.time(at: run.end)
    var summary = TraceSummary(
      run: run, provenance: provenance, losses: truth.losses, findings: truth.findings,
      datesCorrected: truth.datesCorrected, remarks: truth.remarks,
      assumedReception: truth.assumedReception)
    summary.virtualSwitch = powerSwitch
    summary.holes = truth.holes()
    if let search {
      summary.bound = BoundReport(
        bound: search.bound(at: end, after: run.duration), energy: run.energy)
    }
    if let score {
      summary.score = ScoreReport(
        score: try score.finish(
          over: Interval(virtual.bootTime, end), planned: truth.stays()),
        energy: run.energy, hasSamples: scoring.isForComparison)
    }
    summary.charge = charge
    if let radio = virtual.beaconRadio { summary.beacons = beacons?.report(of: radio) }
    warn(ofRefused: truth.refused())
    try files.finish(at: end, stays: truth.stays() ?? [], scoring: score)
    try OutputBytes.print(json ? summary.json.text : summary.text)
  }

  private var isScored: Bool { scoring.isWanted || truthOptions.truthTable != nil }

  private func checkOutputs() throws(CommandError) {
    guard store != nil || isScored else {
      throw .wrongUsage(
        "--store: name a new file for the store of the run, or use --score for the figures alone")
    }
    guard truthOptions.truthTable == nil || trace == nil || scoring.stays != nil else {
      throw .wrongUsage(
        "--truth-table: the true stays of a trace are not known; name them with --stays")
    }
  }

  private func makeBoard(
    _ truth: SimulationTruth, _ composition: Composition, _ kinds: Set<SourceKind>,
    _ beacons: SimulatedBeacons?
  ) -> VirtualBoard {
    VirtualBoard(
      groundTruth: truth.groundTruth,
      settings: VirtualBoardSettings(
        receiver: composition.virtualReceiver, lines: composition.virtualLines,
        coarse: kinds.isDisjoint(with: [.network, .cell])
          ? nil
          : coarseSettings(composition.settings.policy.constants[HybridSettings.self]),
        sources: kinds, beacons: beacons?.settings, seed: seed))
  }

  private func suppliedPlaces(for settings: Settings) throws -> SuppliedPlaces? {
    guard let places else { return nil }
    let given = try SuppliedPlaces(path: places)
    if !given.messages.isEmpty, settings.people.address == nil {
      StandardError.report(
        "\(places): its letters, groups and meetings have no effect, because the board has no "
          + "owner: set people.address")
    }
    if settings.bluetooth.kind == .none, given.places.contains(where: { !$0.beacons.isEmpty }) {
      StandardError.report(
        "\(places): its beacons are not received: --set bluetooth.kind=bluez adds a radio")
    }
    return given
  }

  private var trace: String? { traces.first }

  /// Creates the store if one is wanted. Watching places needs a store, possibly a temporary one.
  private func fill<Result>(
    _ others: ProtectedFiles, _ body: (GeoPackageStore?) throws -> Result
  ) throws -> Result {
    guard let store else {
      return try places == nil ? body(nil) : NewStore.fillForNow(body)
    }
    return try NewStore.fill(
      store, beside: others, durability: durable ? .everyWrite : .onceInAWhile, body)
  }

  /// The parameters of the run besides settings and truth.
  private func details(_ kinds: Set<SourceKind>) -> [(String, JSONValue)] {
    [
      ("seed", .number(Double(seed))),
      ("sources", .array(kinds.map(\.rawValue).sorted().map { .string($0) })),
    ]
  }

  private func warn(ofRefused count: Int) {
    guard let trace, count > 0 else { return }
    StandardError.report(
      "\(trace): left out \(Counted.text(count, "position")) at the time of the previous one")
  }

  private func simulate(
    _ truth: SimulationTruth, on virtual: VirtualBoard, composition: Composition,
    into store: StoreSource?, charge: SimulatedCharge?, passing: (UTCInstant) -> Void
  ) throws -> RunSummary {
    var devices = Devices(
      receiver: virtual.receiver, powerSwitch: virtual.powerSwitch, monitor: virtual.monitor,
      evidence: virtual.sources + [virtual.coarse].compactMap { $0 })
    devices.store = store
    devices.timeZones = SystemTimeZones()
    devices.visitor = composition.settings.visitor
    devices.random = SeededRandom(seed: seed, stream: 0x436F_6E74)
    devices.locatesForAlerts = composition.settings.alerts.requestsFixes
    devices.beaconRadio = virtual.beaconRadio
    devices.beacons = composition.settings.beacons
    devices.people = composition.settings.people
    devices.hasBroker = composition.settings.uplink.sendsPeerMessages
    devices.sourcesEnergy = { virtual.sourcesEnergy }
    devices.sourcesPower = virtual.sourcesPower
    var decoding = composition.decoderOptions
    decoding.earliestDate = nil
    let runtime = try composition.runtime(
      devices: devices, decoderOptions: decoding, policy: chosenPolicy(composition.settings),
      at: virtual.clock.now)
    let progress = ProgressLine(label: "simulating")
    let end = VirtualLoop(virtual, runtime: runtime).run(until: truth.limit) {
      progress.show(virtual.clock.time(at: $0))
      passing(virtual.clock.time(at: $0))
      charge?.passing(runtime.energy, at: $0)
    }
    progress.clear()
    charge?.passing(runtime.energy, at: end)
    if let failure = truth.failure() { throw failure }
    if let failure = runtime.storeHealth.failure { throw CommandError.failed(failure) }
    var summary = RunSummary(runtime, duration: end - .zero, end: end)
    summary.sourcesEnergy = virtual.sourcesEnergy
    return summary
  }

  /// The paper's source of significant-change locations, with the distances and intervals of the
  /// settings.
  private func coarseSettings(_ hybrid: HybridSettings) -> VirtualCoarseSettings {
    VirtualCoarseSettings(
      interval: hybrid.significantInterval, distance: hybrid.significantDistance)
  }

  /// The error limits of the adaptive policy, used for every policy.
  private func errorLimits(_ settings: Settings) -> ErrorLimits {
    ErrorLimits(
      trajectory: settings.policy.constants[AdaptiveSettings.self].trajectoryError,
      minStay: settings.pipeline.dwell.minDwell)
  }

  private func chosenPolicy(_ settings: Settings) -> PolicySettings {
    var chosen = settings.policy
    if let policy { chosen.name = policy }
    return chosen.chosen
  }

  private func makeTruth(_ composition: Composition) throws -> SimulationTruth {
    guard let trace else {
      guard traceOptions.words.isEmpty, traceTruth.words.isEmpty else {
        throw CommandError.wrongUsage(
          "--individual, --sky and --through-holes need a trace: name one")
      }
      let groundTruth = try life.groundTruth(seed: seed)
      return SimulationTruth(
        groundTruth: groundTruth, limit: .zero + .days(Double(life.dayCount)),
        stays: { groundTruth.completedStays }, provenance: { life.provenance },
        failure: { nil })
    }
    try life.refuseBesideTrace()
    var decoding = composition.decoderOptions
    decoding.earliestDate = nil
    let file = try TraceFile(trace, decoderOptions: decoding)
    let findings = try file.prepare(
      individual: traceOptions.individual,
      now: SystemCalendar.date(notBefore: composition.settings.receiver.dateFloor)?.date)
    try report(findings, of: file)
    let groundTruth = TraceTruth(assumedReception: try traceTruth.assumedReception()) {
      file.nextSample().map {
        TruthSample(
          time: $0.time, position: $0.position, altitude: $0.altitude, speed: $0.speed,
          accuracy: $0.accuracy)
      }
    }
    guard let groundTruth else { throw file.failure ?? file.noPositionError }
    let reception = try traceTruth.note(findings)
    return SimulationTruth(
      groundTruth: groundTruth, limit: .zero + .days(36_600), stays: { nil },
      provenance: {
        [("trace", try file.provenance())] + (reception.map { [("sky", .string($0))] } ?? [])
      },
      failure: { file.failure }, refused: { groundTruth.samplesRefused }, losses: file.losses,
      findings: findings, datesCorrected: file.datesCorrected,
      remarks: [try traceTruth.sentence(findings)].compactMap { $0 }, assumedReception: reception,
      holes: { groundTruth.holes })
  }

  /// Reports before a possibly long computation. In a comparison only problems are reported.
  private func report(_ findings: TraceFindings, of file: TraceFile) throws {
    let counted = Counted.text(findings.positions, "position")
    if !scoring.isForComparison {
      StandardError.report("\(file.path): \(counted) \(findings.span.text)")
    }
    let sentences = file.sentences + [try traceTruth.sentence(findings)]
    StandardError.report(sentences.compactMap { $0 }, of: file.path)
    try traceTruth.check(findings.span, of: file.path)
  }
}
