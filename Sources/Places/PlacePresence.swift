import Core
import Records

/// The board's presence at one place: unknown, inside or outside, with hysteresis, so that position
/// errors cause no crossings.
///
/// An arrival requires one location that is inside with 0.9, or two in a row with 0.7 or with a
/// weak signal. A departure requires two in a row that are outside with 0.95 after sensed movement,
/// three without it, or one far away. Two within 20 s count as one, unless the measured speed
/// explains the distance (`DeadReckonedDistance`). Locations that do not come from GNSS count half:
/// they come from lists of access points and cells, in which one that was moved is kilometres off
/// in spite of a good claimed accuracy, again and again. In a building a receiver reports positions
/// hundreds of metres off: Dias 2011, section 5.4, had false "leaving" alerts whenever the signal
/// was weak, as the error was larger than the radius. Hence for a departure:
///
/// * A location whose accuracy is worse than the size of the place does not count unless it is
///   three times its accuracy away: it would be outside of so small a place with any position.
/// * A bad accuracy affects later locations: 0.7 of it is the minimum for the next location, half
///   for the one after that, and so on.
/// * Each time such locations were refuted by one inside, one more is required, four at most.
/// * No signal is no departure, but counts as a bad accuracy; sensed movement is no departure,
///   either.
/// * Rest holds a state that was established since the rest began: a board that is sensed to rest
///   after a walk may have walked out.
/// * Receiving a beacon of the place means being there, whatever locations say: its range is some
///   tens of metres, and it works where no receiver does.
public struct PlacePresence: Sendable {
  public enum State: Hashable, Sendable { case unknown, inside, outside }

  /// From here on two in a row are required; one from `Containment.sureInside` on.
  private static let likelyInside = 0.7
  /// The maximum number of locations required for a departure.
  private static let most = 4
  /// Errors within this time count as one: reflections last. Movement with a measured speed is no
  /// error.
  static let pause: Seconds = 20
  /// A location at this multiple of its accuracy needs no other: its error probability is one in
  /// 30,000 for the assumed distribution.
  private static let certain = 3.0
  /// At this distance one location is enough: larger errors come with a bad accuracy.
  private static let far: Metres = 500
  /// The factor by which the presumed error decays from one location to the next.
  private static let fading = 0.7

  /// A receiver's accuracy between buildings, or a sufficient share of the size of a large place.
  private static let clear: Metres = 15
  private static let clearShare = 0.25
  /// A receiver's accuracy where it has no signal.
  private static let indoors: Metres = 100

  private(set) var state: State
  private var region: PlaceRegion
  private let isFixed: Bool
  private let minimumAccuracy: Metres?

  /// When a location last confirmed the present state with certainty.
  private var confirmedAt: BootInstant?
  /// When a location last confirmed it, with certainty or probably.
  private var seen: BootInstant?
  /// Until when rest has held the state.
  private var heldUntil: BootInstant?
  /// Since when the board rests; nil: it is not known to rest.
  private var restingSince: BootInstant?
  /// The state that the last locations in a row indicate, their total weight, and the time of the
  /// last.
  private var candidate: (state: State, weight: Double, at: BootInstant)?
  /// How often locations outside were refuted since the last change.
  private var refuted = 0
  /// Whether movement was sensed since a location confirmed the state.
  private var wasMotionSensed = false
  private var reckoned = DeadReckonedDistance()
  /// The minimum error presumed for the next location, from earlier accuracies.
  private var doubt: Metres = 0
  /// Whether a beacon of the place is received.
  private(set) var isBeaconReceived = false
  /// The place's position when its beacons were lost while a location still found the board there.
  private var silent: Location?
  /// The delay until the loss of the beacon is evaluated again: a fix attempt at the beginning of a
  /// departure still finds the board at the place.
  private static let silence: Seconds = 30

  /// - Parameters:
  ///   - isFixed: whether the place stays in position: rest means nothing for a place that moves.
  ///   - minimumAccuracy: a location with a larger error is ignored; nil: none is.
  ///   - state: the state of an earlier run.
  ///   - told: since when the state is certain; nil: unknown.
  public init(
    _ region: PlaceRegion, isFixed: Bool = true, minimumAccuracy: Metres? = nil,
    state: State = .unknown, told: BootInstant? = nil
  ) {
    self.region = region
    self.isFixed = isFixed
    self.minimumAccuracy = minimumAccuracy
    self.state = state
    self.confirmedAt = told
  }

  /// Whether rest holds the state: a location that contradicts it is an error.
  var isHeld: Bool {
    guard isFixed, let restingSince, let seen, state != .unknown else { return false }
    return seen >= restingSince
  }

  /// Whether the last location indicates another state, which has to be confirmed.
  var isInDoubt: Bool { candidate != nil }

  /// A place that follows a device has moved.
  mutating func moved(to region: PlaceRegion) {
    self.region = region
    reckoned = DeadReckonedDistance()
  }

  /// - Parameters:
  ///   - now: when it happened; never earlier than the one before.
  ///   - isCredible: whether the board can have reached the location. If not, no location is
  ///     sufficient by itself.
  /// - Returns: nil without a change.
  public mutating func step(
    _ event: PresenceEvent, at now: BootInstant, isCredible: Bool = true
  ) -> PresenceChange? {
    switch event {
    case .located(let location): return located(location, at: now, isCredible)
    case .searchFailed: doubt = max(doubt, Self.indoors)
    case .resting(let since):
      if restingSince == nil { restingSince = min(since, now) }
    case .moving(let since):
      if isHeld { heldUntil = max(min(since, now), seen ?? since) }
      restingSince = nil
      wasMotionSensed = true
    }
    return nil
  }

  /// A beacon of the place is received.
  /// - Parameter location: the place's position at that time.
  mutating func beaconReceived(at location: Location, _ now: BootInstant) -> PresenceChange? {
    let isNews = state != .inside
    isBeaconReceived = true
    silent = nil
    seen = now
    confirmedAt = isNews ? confirmedAt : now
    candidate = nil
    guard isNews else { return nil }
    return changeByBeacon(to: .inside, location, at: now)
  }

  /// No beacon is received any more. A board at rest has not left: the beacon has failed, or there
  /// is an obstacle.
  /// - Parameters:
  ///   - hearing: nil: none was received in this run.
  ///   - location: the place's position at the last reception.
  mutating func lostBeacon(
    _ hearing: BeaconReception?, at location: Location, _ now: BootInstant
  ) -> PresenceChange? {
    guard isBeaconReceived else { return nil }
    let lastReception = hearing?.lastReceived ?? now
    // Between buildings location errors are as large as such a place: only a certain one counts.
    let isSeenSince = confirmedAt.map { $0 > lastReception } ?? false
    if seen.map({ $0 <= lastReception }) ?? true { seen = lastReception }
    guard !isHeld || (hearing?.isOnTheWay == true && !isSeenSince) else { return nil }
    isBeaconReceived = false
    guard state == .inside else { return nil }
    if isSeenSince {
      silent = location
      return nil
    }
    confirmedAt = lastReception
    return changeByBeacon(to: .outside, location, at: now)
  }

  /// When `endSilence` decides; nil: there is nothing to decide.
  var silenceEnds: BootInstant? { silent == nil ? nil : confirmedAt.map { $0 + Self.silence } }

  /// No beacon was received since a location found the board at the place: it has left, unless it
  /// rests there.
  mutating func endSilence(at now: BootInstant) -> PresenceChange? {
    guard let silent, let silenceEnds, now >= silenceEnds else { return nil }
    self.silent = nil
    guard state == .inside, !isHeld else { return nil }
    return changeByBeacon(to: .outside, silent, at: now)
  }

  private mutating func changeByBeacon(
    to state: State, _ location: Location, at now: BootInstant
  ) -> PresenceChange? {
    guard let containment = Containment(of: location, in: region) else { return nil }
    return change(
      to: Assessment(state: state, containment: containment, isEnough: true, isSure: true),
      location, isByBeacon: true, at: now)
  }

  /// The effect of `step` for a location that is certainly far outside, without the calculation.
  mutating func remainedOutside(_ location: Location, at now: BootInstant) {
    candidate = nil
    wasMotionSensed = false
    doubt = max(location.accuracy, doubt) * Self.fading
    seen = now
    confirmedAt = now
  }

  private mutating func located(
    _ location: Location, at now: BootInstant, _ isCredible: Bool
  ) -> PresenceChange? {
    guard let containment = Containment(of: location, in: region) else { return nil }
    let cautious = max(location.accuracy, doubt)
    doubt = cautious * Self.fading
    if let minimumAccuracy, location.accuracy > minimumAccuracy { return nil }
    let verdict = evaluate(location, containment, cautious)
    let isKnown = location.source == .gnss && isClear(location)
    reckoned.located(
      location, isInside: isKnown ? containment.verdict == .inside : nil, at: now)
    if isHeld || isBeaconReceived, verdict.state != state { return nil }
    guard verdict.state != .unknown else {
      if verdict.speaksAgainst(candidate?.state) { candidate = nil }
      return nil
    }
    guard verdict.state != state else {
      if state == .inside, candidate != nil { refuted += 1 }
      candidate = nil
      wasMotionSensed = false
      seen = now
      if verdict.isSure { confirmedAt = now }
      return nil
    }
    guard
      (verdict.isEnough && isCredible)
        || isConfirmed(verdict.state, by: Self.weight(of: location), at: now)
    else { return nil }
    return change(to: verdict, location, at: now)
  }

  private mutating func isConfirmed(
    _ state: State, by weight: Double, at now: BootInstant
  ) -> Bool {
    guard let before = candidate, before.state == state else {
      candidate = (state, weight, now)
      return false
    }
    let isNext = now - before.at >= Self.pause || (state == .outside && reckoned.isGone)
    guard isNext else { return false }
    candidate = (state, before.weight + weight, now)
    return before.weight + weight >= Double(needed)
  }

  private static func weight(of location: Location) -> Double {
    location.source == .gnss ? 1 : 0.5
  }

  /// The number of locations in a row required to change the state.
  private var needed: Int {
    state == .inside ? min(Self.most, (wasMotionSensed ? 2 : 3) + refuted) : 2
  }

  private mutating func change(
    to verdict: Assessment, _ location: Location, isByBeacon: Bool = false, at now: BootInstant
  ) -> PresenceChange {
    var earliest = confirmedAt
    if let confirmedAt, let heldUntil, heldUntil > confirmedAt { earliest = heldUntil }
    // A board that rests has been here since the rest began.
    let latest = restingSince.map { isFixed ? max($0, earliest ?? $0) : now } ?? now
    let change = PresenceChange(
      from: state, to: verdict.state, location: location, containment: verdict.containment,
      earliest: state == .unknown ? nil : earliest, latest: min(latest, now),
      isByBeacon: isByBeacon)
    state = verdict.state
    confirmedAt = now
    seen = now
    heldUntil = nil
    candidate = nil
    refuted = 0
    wasMotionSensed = false
    silent = nil
    return change
  }

  // MARK: One location

  /// Whether a location with this error can be outside of the region only by its position.
  static func isConclusive(
    _ containment: Containment, within accuracy: Metres, of region: PlaceRegion
  ) -> Bool {
    accuracy <= region.size || containment.signedDistance >= accuracy * certain
  }

  private struct Assessment {
    var state: State
    var containment: Containment
    /// Whether the state needs no second location.
    var isEnough: Bool
    /// Whether it is certain enough to bound a later crossing.
    var isSure: Bool

    /// Whether it makes a presumed state less probable.
    func speaksAgainst(_ presumed: State?) -> Bool {
      presumed == .inside
        ? containment.probabilityInside < PlacePresence.likelyInside
        : containment.probabilityOutside < Containment.sureOutside
    }
  }

  /// - Parameter cautious: the accuracy, including the presumed minimum error.
  private func evaluate(
    _ location: Location, _ containment: Containment, _ cautious: Metres
  ) -> Assessment {
    if containment.probabilityInside >= Self.likelyInside {
      let isSure = containment.verdict == .inside
      return Assessment(
        state: .inside, containment: containment, isEnough: isSure && isClear(location),
        isSure: isSure)
    }
    guard containment.verdict == .outside,
      let doubted = cautious > location.accuracy
        ? Containment(of: location, in: region, accuracy: cautious) : containment
    else { return undecided(containment) }
    let isCertain = doubted.signedDistance >= cautious * Self.certain
    guard doubted.verdict == .outside, Self.isConclusive(doubted, within: cautious, of: region)
    else {
      return undecided(doubted)
    }
    return Assessment(
      state: .outside, containment: doubted,
      isEnough: isCertain && doubted.signedDistance >= Self.far && location.source == .gnss,
      isSure: true)
  }

  /// Whether the signal was not weak: a fix below a roof may be a reflection, which lasts for
  /// seconds and is reported with the accuracy of the moment before.
  private func isClear(_ location: Location) -> Bool {
    location.source != .gnss || location.accuracy <= max(Self.clear, region.size * Self.clearShare)
  }

  private func undecided(_ containment: Containment) -> Assessment {
    Assessment(state: .unknown, containment: containment, isEnough: false, isSure: false)
  }
}
