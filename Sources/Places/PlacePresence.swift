import Core
import Records

/// Whether the board is at one place: unknown, inside or outside, with hysteresis, so that errors
/// of positions are no crossings.
///
/// Arriving takes one location that is inside with 0.9, or two in a row with 0.7 or under a weak
/// signal. Leaving takes two in a row that are outside with 0.95 where movement was felt, three
/// where it was not, or one far away. Two within 20 s count as one, unless the measured speed
/// accounts for the way out (`DeadReckonedDistance`). Those count half that GNSS has not measured:
/// they come from lists of access points and cells, in which one that was moved is kilometres off
/// with the best of accuracies, again and again. In a building a receiver tells positions hundreds
/// of metres off: Dias 2011, section 5.4, had false "leaving" alerts whenever the signal was weak,
/// as the error was larger than the radius. Hence for leaving:
///
/// * A location whose accuracy is worse than the place is large does not count unless it is three
///   times its accuracy away: it would be outside of so small a place with any position.
/// * An accuracy that was bad a moment ago is still doubted: 0.7 of it is presumed for the next
///   location, half for the one after that, and so on.
/// * Where such locations were refuted before by one that is inside, one more is needed each time,
///   four at most.
/// * No sky is no leaving, but a reason for such a doubt; and movement that is felt is none.
/// * Rest holds what was found out while it lasts, and only what was found out since it began: who
///   is felt to rest after a walk may have walked out.
/// * Who hears a beacon of the place is there, whatever locations say: it reaches some tens of
///   metres, and works where no receiver does.
public struct PlacePresence: Sendable {
  public enum State: Hashable, Sendable { case unknown, inside, outside }

  /// Two in a row are needed from here on; one from `Containment.sureInside` on.
  private static let likelyInside = 0.7
  /// So many locations outside are enough for a departure, whatever happened before.
  private static let most = 4
  /// Two errors within a moment are one: reflections last. What moves by the measured speed, too,
  /// is no error.
  static let pause: Seconds = 20
  /// How many times its accuracy a location is away that needs no other: one in 30,000 if the error
  /// is distributed as it is said to be.
  private static let certain = 3.0
  /// So far away one location is enough: larger errors come with a bad accuracy.
  private static let far: Metres = 500
  /// What is left of a doubt from one location to the next.
  private static let fading = 0.7

  /// What a receiver knows between houses, or well enough for so large a place.
  private static let clear: Metres = 15
  private static let clearShare = 0.25
  /// What a receiver knows where it finds no sky.
  private static let indoors: Metres = 100

  public private(set) var state: State
  private var region: PlaceRegion
  private let isFixed: Bool
  private let minimumAccuracy: Metres?

  /// When a location has last told the present state for sure.
  private var told: BootInstant?
  /// When a location has last told it, for sure or probably.
  private var seen: BootInstant?
  /// Until when rest has held what was seen.
  private var heldUntil: BootInstant?
  /// Since when the board rests; nil: it is not known to.
  private var restingSince: BootInstant?
  /// What the last locations in a row say, how much they count, and when the last of them was.
  private var candidate: (state: State, weight: Double, at: BootInstant)?
  /// How often locations outside were refuted since the state is what it is.
  private var refuted = 0
  /// Whether movement was felt since a location has told the state.
  private var isFelt = false
  private var reckoned = DeadReckonedDistance()
  /// What accuracies of late make of one that is better.
  private var doubt: Metres = 0
  /// Whether a beacon of the place is heard.
  public private(set) var isBeaconHeard = false
  /// Where the place was when its beacons fell silent while a location still found the board there.
  private var silent: Location?
  /// A departure is looked at as it begins, and then the board is still at the place: the silence
  /// counts once more so long after that.
  private static let silence: Seconds = 30

  /// - Parameters:
  ///   - isFixed: whether the place stays where it is: rest is nothing to one that moves.
  ///   - minimumAccuracy: a location that is known less well decides nothing; nil: every one counts
  ///     as far as it goes.
  ///   - state: as an earlier run has left it.
  ///   - told: since when the state is sure; nil: nobody knows.
  public init(
    _ region: PlaceRegion, isFixed: Bool = true, minimumAccuracy: Metres? = nil,
    state: State = .unknown, told: BootInstant? = nil
  ) {
    self.region = region
    self.isFixed = isFixed
    self.minimumAccuracy = minimumAccuracy
    self.state = state
    self.told = told
  }

  /// Whether rest holds the state: a location that says otherwise is an error.
  public var isHeld: Bool {
    guard isFixed, let restingSince, let seen, state != .unknown else { return false }
    return seen >= restingSince
  }

  /// Whether the last location speaks for another state, and others have to confirm it.
  public var isInDoubt: Bool { candidate != nil }

  /// The place that follows a device has moved.
  public mutating func moved(to region: PlaceRegion) {
    self.region = region
    reckoned = DeadReckonedDistance()
  }

  /// - Parameters:
  ///   - now: when it happened; never earlier than the one before.
  ///   - isCredible: whether the board can have come to where it is located. Else no location is
  ///     enough by itself.
  /// - Returns: nil as long as nothing has changed.
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
      isFelt = true
    }
    return nil
  }

  /// A beacon of the place is heard.
  /// - Parameter location: where the place is, when that was.
  mutating func heardBeacon(at location: Location, _ now: BootInstant) -> PresenceChange? {
    let isNews = state != .inside
    isBeaconHeard = true
    silent = nil
    seen = now
    told = isNews ? told : now
    candidate = nil
    guard isNews else { return nil }
    return changeByBeacon(to: .inside, location, at: now)
  }

  /// None is heard any more. Who rests has not left: it is the beacon that has ended, or something
  /// is in between.
  /// - Parameters:
  ///   - hearing: nil: none was ever heard, in this run.
  ///   - location: where the place is, when one was heard last.
  mutating func lostBeacon(
    _ hearing: BeaconReception?, at location: Location, _ now: BootInstant
  ) -> PresenceChange? {
    guard isBeaconHeard else { return nil }
    let lastHeard = hearing?.lastHeard ?? now
    // Between houses the error of a location is as large as such a place: only a sure one counts.
    let isSeenSince = told.map { $0 > lastHeard } ?? false
    if seen.map({ $0 <= lastHeard }) ?? true { seen = lastHeard }
    guard !isHeld || (hearing?.isOnTheWay == true && !isSeenSince) else { return nil }
    isBeaconHeard = false
    guard state == .inside else { return nil }
    if isSeenSince {
      silent = location
      return nil
    }
    told = lastHeard
    return changeByBeacon(to: .outside, location, at: now)
  }

  /// When `endSilence` decides; nil: nothing is to be decided.
  var silenceEnds: BootInstant? { silent == nil ? nil : told.map { $0 + Self.silence } }

  /// Nothing was heard since a location found the board at the place: it has left, unless it rests
  /// there.
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
      to: Judgement(state: state, containment: containment, isEnough: true, isSure: true),
      location, isByBeacon: true, at: now)
  }

  /// A location has come that is so far away that nothing else can be: what `step` would make of
  /// it, without the work.
  mutating func remainedOutside(_ location: Location, at now: BootInstant) {
    candidate = nil
    isFelt = false
    doubt = max(location.accuracy, doubt) * Self.fading
    seen = now
    told = now
  }

  private mutating func located(
    _ location: Location, at now: BootInstant, _ isCredible: Bool
  ) -> PresenceChange? {
    guard let containment = Containment(of: location, in: region) else { return nil }
    let cautious = max(location.accuracy, doubt)
    doubt = cautious * Self.fading
    if let minimumAccuracy, location.accuracy > minimumAccuracy { return nil }
    let verdict = judge(location, containment, cautious)
    let isKnown = location.source == .gnss && isClear(location)
    reckoned.located(
      location, isInside: isKnown ? containment.verdict == .inside : nil, at: now)
    if isHeld || isBeaconHeard, verdict.state != state { return nil }
    guard verdict.state != .unknown else {
      if verdict.speaksAgainst(candidate?.state) { candidate = nil }
      return nil
    }
    guard verdict.state != state else {
      if state == .inside, candidate != nil { refuted += 1 }
      candidate = nil
      isFelt = false
      seen = now
      if verdict.isSure { told = now }
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

  /// How many locations in a row it takes to change the state.
  private var needed: Int {
    state == .inside ? min(Self.most, (isFelt ? 2 : 3) + refuted) : 2
  }

  private mutating func change(
    to verdict: Judgement, _ location: Location, isByBeacon: Bool = false, at now: BootInstant
  ) -> PresenceChange {
    var earliest = told
    if let told, let heldUntil, heldUntil > told { earliest = heldUntil }
    // What rests where it is now has been here since it does.
    let latest = restingSince.map { isFixed ? max($0, earliest ?? $0) : now } ?? now
    let change = PresenceChange(
      from: state, to: verdict.state, location: location, containment: verdict.containment,
      earliest: state == .unknown ? nil : earliest, latest: min(latest, now),
      isByBeacon: isByBeacon)
    state = verdict.state
    told = now
    seen = now
    heldUntil = nil
    candidate = nil
    refuted = 0
    isFelt = false
    silent = nil
    return change
  }

  // MARK: One location

  /// Whether what is outside of a region would not be so with any position and this error.
  static func tells(
    _ containment: Containment, within accuracy: Metres, of region: PlaceRegion
  ) -> Bool {
    accuracy <= region.size || containment.signedDistance >= accuracy * certain
  }

  private struct Judgement {
    var state: State
    var containment: Containment
    /// Whether the state needs no second location.
    var isEnough: Bool
    /// Whether it is sure enough to bound a later crossing.
    var isSure: Bool

    /// Whether what was presumed before is less probable by it.
    func speaksAgainst(_ presumed: State?) -> Bool {
      presumed == .inside
        ? containment.probabilityInside < PlacePresence.likelyInside
        : containment.probabilityOutside < Containment.sureOutside
    }
  }

  /// - Parameter cautious: its accuracy as far as it is believed.
  private func judge(
    _ location: Location, _ containment: Containment, _ cautious: Metres
  ) -> Judgement {
    if containment.probabilityInside >= Self.likelyInside {
      let isSure = containment.verdict == .inside
      return Judgement(
        state: .inside, containment: containment, isEnough: isSure && isClear(location),
        isSure: isSure)
    }
    guard containment.verdict == .outside,
      let doubted = cautious > location.accuracy
        ? Containment(of: location, in: region, accuracy: cautious) : containment
    else { return undecided(containment) }
    let isCertain = doubted.signedDistance >= cautious * Self.certain
    guard doubted.verdict == .outside, Self.tells(doubted, within: cautious, of: region) else {
      return undecided(doubted)
    }
    return Judgement(
      state: .outside, containment: doubted,
      isEnough: isCertain && doubted.signedDistance >= Self.far && location.source == .gnss,
      isSure: true)
  }

  /// Whether the signal was not weak: a fix under a roof may be a reflection, which lasts for
  /// seconds and is told with the accuracy of the moment before.
  private func isClear(_ location: Location) -> Bool {
    location.source != .gnss || location.accuracy <= max(Self.clear, region.size * Self.clearShare)
  }

  private func undecided(_ containment: Containment) -> Judgement {
    Judgement(state: .unknown, containment: containment, isEnough: false, isSure: false)
  }
}
