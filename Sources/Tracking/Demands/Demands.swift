import Records
import Core

/// All demands for GNSS on or off, merged in this one place. The limits of the switch and of
/// reception are handled elsewhere.
///
/// The daemon's end, a missing receiver and the user's "off" are vetoes. Everything else is merged:
/// the earliest demand for a fix counts. Of equal demands the reason is that of the user's command,
/// then of the external power, then of the policy, then of the others in the order of their names.
struct Demands: Sendable {
  /// A demand for one fix, which ends with that fix.
  private struct Request: Sendable {
    let name: DemanderName
    let demand: GnssDemand
    var wait = AccuracyWait()
  }

  private let hasReceiver: Bool
  private let traits: PolicyTraits
  private var policy: any Policy
  private var policyWait = AccuracyWait()
  /// The back-off after the policy's accuracy was not reached.
  private var policyBackOff: BackOff
  /// The user's command, which overrides the policy.
  private(set) var command = PersistentGnssCommand.none
  /// Whether the command was given in this run: then a stored one is ignored.
  private var hasCommand = false
  /// The budget account of an earlier run.
  private var earlierBudget: JSONValue?
  private var external: ExternalPower
  /// In the order of their names.
  private var requests: [Request] = []
  /// When a request was last satisfied; nil once its demander has had the chance to place the next
  /// demand.
  private var answered: BootInstant?
  /// Set when the daemon ends.
  private(set) var isEnding = false

  /// - Parameters:
  ///   - external: the use of an external supply.
  ///   - backOff: for a policy whose accuracy is not reached.
  init(
    _ policy: any Policy, hasReceiver: Bool, external: ExternalPowerProfile, backOff: BackOff
  ) {
    self.policy = policy
    self.external = ExternalPower(external)
    self.hasReceiver = hasReceiver
    policyBackOff = backOff
    traits = type(of: policy).descriptor.traits
  }

  init(_ settings: TrackerSettings) {
    let hasChangeReports = settings.coarseSources.contains { $0.delivery == .significantChanges }
    self.init(
      settings.policy.make(hasCoarseSource: hasChangeReports), hasReceiver: settings.hasReceiver,
      external: settings.externalPower,
      backOff: BackOff(
        first: settings.acquisition.firstBackOff, maxPause: settings.acquisition.maxBackOff))
  }

  // MARK: The merged demand

  /// The demand while the receiver is on.
  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand {
    let demand = veto ?? Self.merged(candidates(at: now, in: context).map(\.demand))
    return awaitsDemands(at: now) ? GnssDemand(.on, reason: demand.reason) : demand
  }

  /// The demand while the receiver is off, as far as it can be met: nothing before the end of a
  /// pause.
  /// - Parameters:
  ///   - search: the last one, which may have failed.
  ///   - switchPause: the pause after a failure of the switch.
  func demand(
    at now: BootInstant, in context: TrackingContext, after search: GnssSearch,
    switchPause: Pause?
  ) -> GnssDemand {
    if let veto { return veto }
    // Where the receiver reports reception, the policy may set the pause before the next attempt.
    let isPaced = traits.pacesSearches && (search.isCheap || traits.pacesBlindly)
    let pause = search.pause(at: now)
    return Self.merged(
      candidates(at: now, in: context, isPaced: isPaced).map { one in
        one.demand.after(switchPause ?? (one.waitsForSignal ? pause : nil))
      })
  }

  private var veto: GnssDemand? {
    if isEnding { return GnssDemand(.off(until: nil), reason: "the daemon ends") }
    guard hasReceiver else {
      return GnssDemand(.off(until: nil), reason: "no receiver is configured")
    }
    guard command.wanted == .off else { return nil }
    return GnssDemand(.off(until: nil), reason: command.reason ?? "")
  }

  /// The demand for a receiver that cannot be switched.
  var demandOfUnswitched: GnssDemand {
    GnssDemand(
      .on,
      reason: command.reason
        ?? "nothing can switch the receiver, so it is always read; "
        + "a power_switch saves energy")
  }

  private static func merged(_ demands: [GnssDemand]) -> GnssDemand {
    demands.reduce(nil) { (all: GnssDemand?, next) in all?.merged(with: next) ?? next }
      ?? GnssDemand(.off(until: nil), reason: "no fix in demand")
  }

  /// One demand among those that are merged.
  private struct Candidate {
    let demand: GnssDemand
    /// Whether the next attempt for it waits for the end of the back-off.
    let waitsForSignal: Bool
  }

  /// In the order of precedence.
  /// - Parameter isPaced: whether the policy sets its own pause between attempts.
  private func candidates(
    at now: BootInstant, in context: TrackingContext, isPaced: Bool = false
  ) -> [Candidate] {
    var all: [Candidate] = []
    if command.wanted == .on {
      let demand = GnssDemand(.on, reason: command.reason ?? "")
      all.append(Candidate(demand: demand, waitsForSignal: false))
    }
    if let demand = external.demand(at: now) {
      all.append(Candidate(demand: demand, waitsForSignal: false))
    }
    if let demand = policyDemand(at: now, in: context) {
      all.append(Candidate(demand: demand, waitsForSignal: traits.givesUpSearching && !isPaced))
    }
    return all + requests.map { Candidate(demand: $0.demand.due(at: now), waitsForSignal: true) }
  }

  private func policyDemand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    let demand = policy.demand(at: now, in: context)
    guard let until = policyBackOff.until, now < until else { return demand }
    return demand?.after(
      Pause(
        until: until,
        reason:
          "not accurate enough: search \(policyBackOff.failures) failed, waiting before the next"))
  }

  /// Whether GNSS is off because of a command, the budget or the daemon's end.
  var isForcedOff: Bool { isEnding || command.wanted == .off || isOverBudget }
  /// Whether the receiver must be off, even where leaving it on would save energy.
  var isVetoed: Bool { veto != nil }
  /// Whether a demander whose request was just satisfied may place the next one at once: demanders
  /// receive a fix after the tracker.
  func awaitsDemands(at now: BootInstant) -> Bool { answered == now && !isForcedOff }
  /// Whether a session that ends now ends for lack of demand.
  var isAutomatic: Bool { command.wanted == .auto && !isEnding && !isOverBudget }
  private var isOverBudget: Bool { policy.budget?.isSpent ?? false }
  /// Whether a search without success is abandoned.
  func givesUpSearching(at now: BootInstant) -> Bool {
    traits.givesUpSearching && command.wanted != .on && external.demand(at: now) == nil
  }
  /// Whether fixes are dense, so that the trajectory keeps its shape.
  func keepsShape(at now: BootInstant) -> Bool {
    traits.keepsShape || external.demand(at: now) != nil
  }

  // MARK: The budget

  /// The policy's; nil: it has none.
  var budget: EnergyBudget? { policy.budget }

  func affordable(in context: TrackingContext) -> AffordableRates? {
    policy.affordable(in: context)
  }

  mutating func drawn(_ draw: EnergyDraw, at now: BootInstant, in context: TrackingContext) {
    var draw = draw
    draw.isFree = external.isOn
    policy.drawn(draw, at: now, in: context)
  }

  mutating func read(_ battery: BatteryReading, at now: BootInstant) {
    policy.budget?.read(battery, at: now)
  }

  /// The account, kept also while the present policy has no budget.
  var budgetSnapshot: JSONValue? { policy.budget?.snapshot ?? earlierBudget }

  mutating func restoreBudget(_ snapshot: JSONValue?, at now: BootInstant) {
    earlierBudget = snapshot
    policy.budget?.restore(snapshot, at: now)
  }

  // MARK: Demands and commands

  mutating func started(at now: BootInstant) {
    policy.started(at: now)
    // The first GNSS location will never come.
    if !hasReceiver { policy.searchFailed(at: now) }
  }

  mutating func commanded(_ order: PersistentGnssCommand) {
    hasCommand = true
    // A repeated command keeps its first date.
    if order.wanted != self.command.wanted { self.command = order }
    receptionChanged()
  }

  /// Restores the command given in an earlier run. Returns whether it applies.
  mutating func restoreCommand(_ snapshot: JSONValue?) -> Bool {
    guard !hasCommand, let order = PersistentGnssCommand(snapshot) else { return false }
    self.command = order
    return true
  }

  /// The policy's accuracy may be within reach again.
  mutating func receptionChanged() { policyBackOff.succeeded() }

  /// The board seems to move: the policy's pause ends.
  mutating func endPause() { policyBackOff.retry() }

  /// - Parameter demand: replaces the earlier one of that name; nil: removes it.
  mutating func demanded(_ demand: GnssDemand?, by name: DemanderName) {
    requests.removeAll { $0.name == name }
    guard let demand else { return }
    let place = requests.firstIndex { $0.name > name } ?? requests.endIndex
    requests.insert(Request(name: name, demand: demand), at: place)
  }

  /// An external supply was connected or disconnected.
  mutating func externallySupplied(_ isOn: Bool, at now: BootInstant) {
    external.switched(isOn: isOn, at: now)
  }

  /// All demanders have had the chance to react to the last event.
  mutating func woke() { answered = nil }

  mutating func stop() { isEnding = true }

  /// The settings have changed, the command and the requests have not.
  mutating func inherit(from other: Demands) {
    command = other.command
    hasCommand = other.hasCommand
    requests = other.requests
    external.inherit(from: other.external)
  }

  // MARK: Satisfied demands

  /// Offers an accepted GNSS location to all demands. Returns what it is used for.
  mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> StoredTrack.Purpose {
    let isRequestedFix = satisfyRequests(with: location, at: now)
    if let demand = policyDemand(at: now, in: context) {
      guard policyWait.handle(location, for: demand, at: now) else {
        return isRequestedFix ? .request : .passing
      }
      policyBackOff.succeeded()
    }
    if policy.gnssLocation(location, at: now, in: context) { return .point }
    return isRequestedFix ? .request : .passing
  }

  /// Returns whether a request that was due is satisfied. A location before its due time also
  /// satisfies a request, but was not obtained for it.
  private mutating func satisfyRequests(with location: Location, at now: BootInstant) -> Bool {
    var isDue = false
    requests = requests.compactMap { request in
      var request = request
      let demand = request.demand.due(at: now)
      guard request.wait.handle(location, for: demand, at: now) else { return request }
      isDue = isDue || demand.mode == .on
      answered = now
      return nil
    }
    return isDue
  }

  mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    // Without a receiver there is nothing better.
    policy.coarseLocation(location, at: now, in: context) || !hasReceiver
  }

  /// When the policy needs a coarse location of sources that have to be queried.
  func coarseDue(in context: TrackingContext) -> BootInstant? { policy.coarseDue(in: context) }

  // MARK: Places

  /// Requests the places that the policy needs.
  mutating func findPlaces(_ step: inout TrackerStep) {
    guard traits.followsPlaces, !isEnding, let cap = policy.takePlaceSearch() else { return }
    step.perform(.findPlaces(within: cap))
  }

  mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant
  ) {
    policy.found(targets, within: cap, at: now)
  }

  mutating func searchFailed(at now: BootInstant) { policy.searchFailed(at: now) }

  /// The policy may want something else next. A request stays the same in the next session.
  mutating func sessionEnded(at now: BootInstant) {
    policyWait = AccuracyWait()
    for index in requests.indices { requests[index].wait.sessionEnded(at: now) }
  }

  // MARK: Failed demands

  /// When the next demand without an accurate fix times out, or the grace period ends; nil: none.
  func nextDeadline(in context: TrackingContext, at now: BootInstant) -> BootInstant? {
    var deadlines = requests.compactMap { $0.wait.deadline(of: $0.demand.due(at: now)) }
    if let end = external.graceEnd(after: now) { deadlines.append(end) }
    guard policyWait.isUnderWay, let demand = policyDemand(at: now, in: context) else {
      return deadlines.min()
    }
    return BootInstant.earlier(deadlines.min(), policyWait.deadline(of: demand))
  }

  /// Abandons demands that had only inaccurate fixes until their timeout. For the policy that
  /// counts as a failed search, with a growing pause.
  mutating func checkDeadlines(in context: TrackingContext, _ step: inout TrackerStep) {
    requests.removeAll { request in
      let demand = request.demand.due(at: step.now)
      guard let shortfall = request.wait.shortfall(of: demand, at: step.now) else { return false }
      step.log(.accuracyNotReached, "\(request.name.text): \(shortfall)", level: .warning)
      return true
    }
    guard policyWait.isUnderWay, let demand = policyDemand(at: step.now, in: context),
      let shortfall = policyWait.shortfall(of: demand, at: step.now)
    else { return }
    step.log(.accuracyNotReached, "the policy: \(shortfall)", level: .warning)
    policyWait = AccuracyWait()
    _ = policyBackOff.failed(at: step.now)
    policy.searchFailed(at: step.now)
  }
}
