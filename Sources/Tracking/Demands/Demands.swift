import Quantities
import Records

/// Everything that wants GNSS on or off, and what that comes to: the one place where demands are
/// merged. What the switch and the sky allow is another matter.
struct Demands: Sendable {
  private let hasReceiver: Bool
  private let traits: PolicyTraits
  private var policy: any Policy
  private var command = GnssOverride.auto
  /// The daemon ends.
  private(set) var isEnding = false

  init(_ policy: any Policy, hasReceiver: Bool) {
    self.policy = policy
    self.hasReceiver = hasReceiver
    traits = type(of: policy).descriptor.traits
  }

  // MARK: What it comes to

  /// Nothing but a veto goes unmerged: the earliest wish for a fix counts.
  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand {
    if let veto { return veto }
    let demanders: [any FixDemander] = [command, policy]
    return demanders.compactMap { $0.demand(at: now, in: context) }
      .reduce(nil) { (all: GnssDemand?, next) in all?.merged(with: next) ?? next }
      ?? GnssDemand(.off(until: nil), reason: "nothing wants a fix")
  }

  private var veto: GnssDemand? {
    if isEnding { return GnssDemand(.off(until: nil), reason: "the daemon ends") }
    guard hasReceiver else { return GnssDemand(.off(until: nil), reason: "no receiver is set up") }
    guard command == .off else { return nil }
    return GnssDemand(.off(until: nil), reason: "switched off by command")
  }

  /// Whether it is off because somebody said so, and not because nothing is to be gained.
  var isForcedOff: Bool { isEnding || command == .off }
  /// Whether a session that ends now has given what it was for.
  var isAutomatic: Bool { command == .auto && !isEnding }
  /// Whether a search that comes to nothing is given up.
  var givesUpSearching: Bool { traits.givesUpSearching && command != .on }
  var keepsShape: Bool { traits.keepsShape }
  /// Whether the next search waits for the back-off. Where the receiver told what it heard, the
  /// policy may say itself how soon to look again.
  func waits(after search: GnssSearch) -> Bool {
    givesUpSearching && !(traits.pacesSearches && isAutomatic && search.isCheap)
  }

  // MARK: What happens

  mutating func started(at now: BootInstant) { policy.started(at: now) }

  mutating func ordered(_ command: GnssOverride) { self.command = command }

  mutating func stop() { isEnding = true }

  /// A believed GNSS location. Answers whether it belongs to the sparse trajectory.
  mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { policy.gnssLocation(location, at: now, in: context) }

  mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { policy.coarseLocation(location, at: now, in: context) }

  mutating func searchFailed(at now: BootInstant) { policy.searchFailed(at: now) }

  /// Settings have changed, what the user ordered has not.
  mutating func inherit(from other: Demands) { command = other.command }
}

extension GnssOverride: FixDemander {
  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    self == .on ? GnssDemand(.on, reason: "switched on by command") : nil
  }
}
