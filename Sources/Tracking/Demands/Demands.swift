import Records
import Core

/// Everything that wants GNSS on or off, and what that comes to: the one place where demands are
/// merged. What the switch and the sky allow is another matter.
///
/// The daemon's end, a missing receiver and the user's "off" are vetoes. Nothing else goes
/// unmerged: the earliest wish for a fix counts. Of equal wishes the reason is that of the user's
/// command, then of the external power, then the policy's, then that of the others in the order of
/// their names.
struct Demands: Sendable {
  /// Somebody that wants one fix, and is gone when it has come.
  private struct Request: Sendable {
    let name: DemanderName
    let demand: GnssDemand
    var wait = AccuracyWait()
  }

  private let hasReceiver: Bool
  private let traits: PolicyTraits
  private var policy: any Policy
  private var policyWait = AccuracyWait()
  /// After the policy's accuracy was not to be had.
  private var policyBackOff: BackOff
  /// What the user wants whatever the policy says.
  private(set) var order = PersistentGnssCommand.none
  /// Whether it is of this run: then no stored one counts.
  private var isOrdered = false
  /// The account that an earlier run has left.
  private var earlierBudget: JSONValue?
  private var external: ExternalPower
  /// In the order of their names.
  private var requests: [Request] = []
  /// When one of them has got its fix, as long as who made it cannot have said what comes next.
  private var answered: BootInstant?
  /// The daemon ends.
  private(set) var isEnding = false

  /// - Parameters:
  ///   - external: what a supply beside the battery is used for.
  ///   - backOff: for a policy whose accuracy is not to be had.
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
    let isToldOfChanges = settings.coarseSources.contains { $0.delivery == .significantChanges }
    self.init(
      settings.policy.make(hasCoarseSource: isToldOfChanges), hasReceiver: settings.hasReceiver,
      external: settings.externalPower,
      backOff: BackOff(
        first: settings.acquisition.firstBackOff, maxPause: settings.acquisition.maxBackOff))
  }

  // MARK: What it comes to

  /// What is wanted while the receiver is on.
  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand {
    let demand = veto ?? Self.merged(candidates(at: now, in: context).map(\.demand))
    return awaitsDemands(at: now) ? GnssDemand(.on, reason: demand.reason) : demand
  }

  /// What is wanted while it is off, as far as it can be met: nothing before the end of a pause.
  /// - Parameters:
  ///   - search: the last one, which may have come to nothing.
  ///   - switchPause: of a switch that has failed.
  func demand(
    at now: BootInstant, in context: TrackingContext, after search: GnssSearch,
    switchPause: Pause?
  ) -> GnssDemand {
    if let veto { return veto }
    // Where the receiver told what it heard, the policy may say itself how soon to look again.
    let isPaced = traits.pacesSearches && (search.isCheap || traits.pacesBlindly)
    let sky = search.pause(at: now)
    return Self.merged(
      candidates(at: now, in: context, isPaced: isPaced).map { one in
        one.demand.after(switchPause ?? (one.waitsForSky ? sky : nil))
      })
  }

  private var veto: GnssDemand? {
    if isEnding { return GnssDemand(.off(until: nil), reason: "the daemon ends") }
    guard hasReceiver else { return GnssDemand(.off(until: nil), reason: "no receiver is set up") }
    guard order.wanted == .off else { return nil }
    return GnssDemand(.off(until: nil), reason: order.reason ?? "")
  }

  /// What is wanted of a receiver that nothing can switch.
  var demandOfUnswitched: GnssDemand {
    GnssDemand(
      .on,
      reason: order.reason
        ?? "nothing can switch the receiver, so it is always listened to; "
        + "a power_switch saves energy")
  }

  private static func merged(_ demands: [GnssDemand]) -> GnssDemand {
    demands.reduce(nil) { (all: GnssDemand?, next) in all?.merged(with: next) ?? next }
      ?? GnssDemand(.off(until: nil), reason: "nothing wants a fix")
  }

  /// One demand among those that are merged.
  private struct Candidate {
    let demand: GnssDemand
    /// Whether the next search for it waits for the back-off of the last.
    let waitsForSky: Bool
  }

  /// In the order of precedence.
  /// - Parameter isPaced: whether the policy need not wait for the sky.
  private func candidates(
    at now: BootInstant, in context: TrackingContext, isPaced: Bool = false
  ) -> [Candidate] {
    var all: [Candidate] = []
    if order.wanted == .on {
      let demand = GnssDemand(.on, reason: order.reason ?? "")
      all.append(Candidate(demand: demand, waitsForSky: false))
    }
    if let demand = external.demand(at: now) {
      all.append(Candidate(demand: demand, waitsForSky: false))
    }
    if let demand = policyDemand(at: now, in: context) {
      all.append(Candidate(demand: demand, waitsForSky: traits.givesUpSearching && !isPaced))
    }
    return all + requests.map { Candidate(demand: $0.demand.due(at: now), waitsForSky: true) }
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

  /// Whether it is off because somebody or the budget says so, and not because nothing is to be
  /// gained.
  var isForcedOff: Bool { isEnding || order.wanted == .off || isOverBudget }
  /// Whether nobody may listen, whatever that saves.
  var isVetoed: Bool { veto != nil }
  /// Whether somebody who has just got a fix may want the next one at once: who is told of a fix
  /// hears of it after the tracker.
  func awaitsDemands(at now: BootInstant) -> Bool { answered == now && !isForcedOff }
  /// Whether a session that ends now ends because nobody wants it any longer.
  var isAutomatic: Bool { order.wanted == .auto && !isEnding && !isOverBudget }
  private var isOverBudget: Bool { policy.budget?.isSpent ?? false }
  /// Whether a search that comes to nothing is given up.
  func givesUpSearching(at now: BootInstant) -> Bool {
    traits.givesUpSearching && order.wanted != .on && external.demand(at: now) == nil
  }
  /// Whether what comes is a dense source, of which the trajectory keeps the shape.
  func keepsShape(at now: BootInstant) -> Bool {
    traits.keepsShape || external.demand(at: now) != nil
  }

  // MARK: What it may cost

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

  /// What has been spent of it, also under another policy than this one, which may have none.
  var budgetSnapshot: JSONValue? { policy.budget?.snapshot ?? earlierBudget }

  mutating func restoreBudget(_ snapshot: JSONValue?, at now: BootInstant) {
    earlierBudget = snapshot
    policy.budget?.restore(snapshot, at: now)
  }

  // MARK: Who wants what

  mutating func started(at now: BootInstant) {
    policy.started(at: now)
    // Nobody will ever find the first location by GNSS.
    if !hasReceiver { policy.searchFailed(at: now) }
  }

  mutating func ordered(_ order: PersistentGnssCommand) {
    isOrdered = true
    // Said again, it holds since it was said first.
    if order.wanted != self.order.wanted { self.order = order }
    skyChanged()
  }

  /// What an earlier run was ordered. Answers whether it counts.
  mutating func restoreOrder(_ snapshot: JSONValue?) -> Bool {
    guard !isOrdered, let order = PersistentGnssCommand(snapshot) else { return false }
    self.order = order
    return true
  }

  /// Whatever was not to be had before may be had now.
  mutating func skyChanged() { policyBackOff.succeeded() }

  /// The board seems to move: the policy need not wait any longer.
  mutating func endPause() { policyBackOff.retry() }

  /// - Parameter demand: replaces the earlier one of that name; nil: it wants nothing any more.
  mutating func demanded(_ demand: GnssDemand?, by name: DemanderName) {
    requests.removeAll { $0.name == name }
    guard let demand else { return }
    let place = requests.firstIndex { $0.name > name } ?? requests.endIndex
    requests.insert(Request(name: name, demand: demand), at: place)
  }

  /// A supply beside the battery has come or gone.
  mutating func externallySupplied(_ isOn: Bool, at now: BootInstant) {
    external.switched(isOn: isOn, at: now)
  }

  /// Whoever has something to say to what has happened has said it.
  mutating func woke() { answered = nil }

  mutating func stop() { isEnding = true }

  /// Settings have changed, what the user and others asked for has not.
  mutating func inherit(from other: Demands) {
    order = other.order
    isOrdered = other.isOrdered
    requests = other.requests
    external.inherit(from: other.external)
  }

  // MARK: What they get

  /// A believed GNSS location, for those for whom it is accurate enough. Answers what it is for.
  mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> StoredTrack.Purpose {
    let isLook = satisfyRequests(with: location, at: now)
    if let demand = policyDemand(at: now, in: context) {
      guard policyWait.took(location, for: demand, at: now) else {
        return isLook ? .look : .passing
      }
      policyBackOff.succeeded()
    }
    if policy.gnssLocation(location, at: now, in: context) { return .point }
    return isLook ? .look : .passing
  }

  /// Answers whether one of them has got what it was waiting for. A location that comes before it
  /// is due does for it, too, but nobody has asked for that one.
  private mutating func satisfyRequests(with location: Location, at now: BootInstant) -> Bool {
    var isDue = false
    requests = requests.compactMap { request in
      var request = request
      let demand = request.demand.due(at: now)
      guard request.wait.took(location, for: demand, at: now) else { return request }
      isDue = isDue || demand.wish == .on
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

  /// When the policy wants a coarse location of sources that have to be asked.
  func coarseDue(in context: TrackingContext) -> BootInstant? { policy.coarseDue(in: context) }

  // MARK: Which places are there

  /// Asks for the places that the policy wants to know of.
  mutating func findPlaces(_ step: inout Turn) {
    guard traits.followsPlaces, !isEnding, let cap = policy.takePlaceSearch() else { return }
    step.perform(.findPlaces(within: cap))
  }

  mutating func found(
    _ targets: [PlaceTarget], within cap: SphericalCap, at now: BootInstant
  ) {
    policy.found(targets, within: cap, at: now)
  }

  mutating func searchFailed(at now: BootInstant) { policy.searchFailed(at: now) }

  /// What the policy wants next is another matter; who asks for one fix asks for the same one.
  mutating func sessionEnded(at now: BootInstant) {
    policyWait = AccuracyWait()
    for index in requests.indices { requests[index].wait.sessionEnded(at: now) }
  }

  // MARK: What they do not get

  /// When the next has to go without an accurate fix, or on; nil: none waits for a better one.
  func nextDeadline(in context: TrackingContext, at now: BootInstant) -> BootInstant? {
    var deadlines = requests.compactMap { $0.wait.deadline(of: $0.demand.due(at: now)) }
    if let end = external.graceEnd(after: now) { deadlines.append(end) }
    guard policyWait.isUnderWay, let demand = policyDemand(at: now, in: context) else {
      return deadlines.min()
    }
    return BootInstant.earlier(deadlines.min(), policyWait.deadline(of: demand))
  }

  /// Those that have had nothing but inaccurate fixes for as long as they allow go without one. For
  /// the policy that is a search that failed; whatever it makes of it, it waits longer and longer.
  mutating func checkDeadlines(in context: TrackingContext, _ step: inout Turn) {
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
