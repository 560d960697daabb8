import Quantities
import Records
import SettingDeclarations

/// What a user wants to know, and how well.
public struct AdaptiveSettings: Hashable, SettingGroup {
  public var trajectoryError: Metres = 100
  public var timing: Seconds = 240

  public init() {}

  public mutating func declare(_ setting: SettingVisitor) {
    setting.section("policy.adaptive", "What the adaptive policy is to find out, and how well.")
    setting(
      "trajectory_error_m", &trajectoryError, .quantity(10...10_000),
      "While the board is under way, its logged track should be no farther from its true one.")
    setting(
      "timing_s", &timing, .quantity(30...3600),
      "Where nothing else tells of arrivals and departures, GNSS looks this often. What is "
        + "shorter may be missed.")
  }
}

/// Looks when a look is worth its energy: at rest as rarely as the evidence allows, at once when a
/// departure is suspected, under way as often as the track needs, and closely while the board seems
/// to come to rest.
public struct AdaptivePolicy: Policy {
  public static let descriptor = PolicyDescriptor(
    "adaptive", doc: "looks as often as the evidence of rest and movement asks for.",
    traits: PolicyTraits(pacesSearches: true), settings: AdaptiveSettings.self
  ) { settings, _ in AdaptivePolicy(settings) }

  /// Within which the arrival is bracketed.
  private static let bracket: Seconds = 60
  /// A watched board is looked at all the same, should what watches it have failed.
  private static let check: Seconds = 1800
  /// Where the sky was lost on the way.
  private static let regain: Seconds = 30
  private static let fastest: Seconds = 8

  private let settings: AdaptiveSettings
  private var lastLook: BootInstant?

  public init(_ settings: AdaptiveSettings) { self.settings = settings }

  public mutating func started(at now: BootInstant) { lastLook = nil }

  public mutating func gnssLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool {
    guard isDue(at: now, context.belief) else { return false }
    let wasResting = context.belief.isResting
    lastLook = now
    return !wasResting
  }

  public mutating func coarseLocation(
    _ location: Location, at now: BootInstant, in context: TrackingContext
  ) -> Bool { false }

  public mutating func searchFailed(at now: BootInstant) { lastLook = now }

  public func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand? {
    let (next, reason) = nextLook(context.belief)
    guard now >= next else { return GnssDemand(.off(until: next), reason: reason) }
    // At rest a look asks whether the sky is the usual one; where exactly is known.
    let isCheck = context.belief.isResting && context.belief.isLocatedAtRest
    return GnssDemand(.on, worth: isCheck ? 2 : 20, reason: reason)
  }

  private func isDue(at now: BootInstant, _ belief: RestBelief) -> Bool {
    now >= nextLook(belief).next
  }

  /// When to look next, and why.
  private func nextLook(_ belief: RestBelief) -> (next: BootInstant, reason: String) {
    guard let lastLook else { return (.zero, "first location") }
    if let suspicion = belief.suspicion, suspicion > lastLook {
      return (suspicion, "something has changed")
    }
    switch belief.state {
    case .resting(let since): return atRest(since, lastLook, belief)
    case .moving: return underWay(lastLook, belief)
    case .unknown:
      let pause = belief.darkSince == nil ? Self.bracket : settings.timing
      return (lastLook + pause, "not known yet whether the board rests")
    }
  }

  private func atRest(
    _ since: BootInstant, _ lastLook: BootInstant, _ belief: RestBelief
  ) -> (BootInstant, String) {
    if belief.isWatched {
      return lastLook <= since
        ? (since, "where the board has come to rest")
        : (lastLook + Self.check, "at rest, as the evidence says")
    }
    if belief.darkSince != nil { return (lastLook + Self.bracket, "the sky is gone") }
    if belief.isScanned(at: lastLook) {
      return (lastLook + Self.check, "at rest, as scans say")
    }
    return (lastLook + restPause(lastLook - since), "at rest, as far as was seen")
  }

  /// Most stays are short, and who has stayed for long stays on: a stay that has lasted for some
  /// time goes on for about as long again.
  private func restPause(_ rested: Seconds) -> Seconds {
    min(max(Self.bracket, rested * 0.25), settings.timing)
  }

  private func underWay(
    _ lastLook: BootInstant, _ belief: RestBelief
  ) -> (BootInstant, String) {
    if let darkSince = belief.darkSince {
      let pause = max(Self.regain, min(Self.bracket, (lastLook - darkSince) * 0.5))
      return (lastLook + pause, "under way, without sky")
    }
    let speed = max(belief.speed, 1)
    let pause = settings.trajectoryError.value * 4 / speed.value
    return (lastLook + max(Self.fastest, min(Self.bracket, Seconds(pause))), "under way")
  }
}

extension PolicySettings {
  public static func adaptive(_ settings: AdaptiveSettings) -> PolicySettings {
    PolicySettings(AdaptivePolicy.descriptor, settings)
  }
}
