import Core

/// The radio's reports about beacons.
public enum BeaconRadioEvent: Hashable, Sendable {
  case received(BeaconFrame, DecibelMilliwatts)
  /// A relevant beacon is present: the radio monitors it, and reports when it is lost.
  case found(BeaconFrame, DecibelMilliwatts)
  case lost(BeaconIdentity)
  /// An advertisement of another device: the radio works.
  case otherDevice
  /// The radio has started or stopped listening, for any reason.
  case listening(Bool)
  /// Whether the radio monitors beacons by itself; otherwise it has to scan.
  case monitors(Bool)
  /// Its supply was switched off and on: monitoring starts again.
  case restarted
}

/// Inputs of the beacon station.
public enum BeaconStationEvent: Sendable {
  /// The relevant regions from now on, each once.
  case wanted([BeaconRegion])
  /// Whether one of them could be received here.
  case expected(Bool)
  /// The board is at rest since then, and a movement would be detected; nil: unknown, or it moves.
  /// `hasMotionSensor`: whether a trusted motion sensor is present.
  case resting(since: BootInstant?, isFelt: Bool)
  /// Whether a user is watching the proximity.
  case watched(Bool)
  case radio(BeaconRadioEvent)
  case timePassed
}

public enum BeaconStationEffect: Hashable, Sendable {
  case entered(BeaconRegion, BeaconIdentity)
  case left(BeaconRegion, lastReception: BootInstant)
  case proximity(BeaconRegion, Proximity)
  /// The nearest of the received regions: the room with the board. Nil: none.
  case nearest(BeaconRegion?)
  /// The regions for which the radio has to listen; empty: it is not needed.
  case listen([BeaconRegion])
  /// Whether the radio has to report every advertisement.
  case scan(Bool)
  /// The radio has hung: it has to be switched off and on.
  case restart(afterSilence: Seconds)
  case recovered
  /// When `timePassed` is needed next; replaces the previous request. Nil: not at all.
  case wake(BootInstant?)
}

/// All decisions about beacons: the use of the radio over time, and the conclusions from its
/// reports. It receives the relevant regions, and whether one of them could be near.
///
/// A received beacon is near, even if the last location, which may be wrong, disagrees. It counts
/// until it is no longer received.
///
/// A board at rest neither enters nor leaves a region. A minute after it has come to rest the radio
/// is switched off, too, and nothing changes until it moves. If several beacons are received, they
/// are still compared periodically, because a step into the next room may not be detected as
/// motion.
///
/// A radio that monitors beacons by itself scans only while a user watches, while several beacons
/// are received and have to be compared, while a motion sensor shows that the board moves, or after
/// regions were added: single advertisements show entering and leaving faster and more reliably.
/// Any other radio scans according to the plan. While a motion sensor shows that the board moves,
/// the radio scans without pauses while a beacon is fading, and for seconds after a beacon that is
/// not yet sufficient for entering.
public struct BeaconController: Sendable {
  /// The duty cycle for comparing several beacons: 5 s of every 30.
  private static let comparison = (listening: Seconds(5), pause: Seconds(25))
  /// The time from the beginning of a rest until the radio is switched off.
  private static let settling: Seconds = 60
  /// The radio scans for this long after regions become relevant: a board that is switched on near
  /// a beacon need not wait for the radio's monitoring.
  private static let beginning: Seconds = 10
  /// The ratio of distances from which another region counts as nearer: 3 dB, because of fading.
  private static let nearer = 0.7

  private let settings: BeaconSettings
  private var watch: BeaconRegionMonitor
  private var plan: ScanPlan
  private var health = RadioHealth()
  private var wanted: [BeaconRegion] = []
  private var isExpected = false
  private var isObserved = false
  private var restingSince: BootInstant?
  private var hasMotionSensor = false
  private var radioMonitors = false
  /// Whether the radio has been requested to scan.
  private var isScanning = false
  private var scanMode = ScanMode.never
  /// The listening time that `health` has already assessed.
  private var assessedListening: Seconds = 0
  private var planWake: BootInstant?
  private var watchWake: BootInstant?
  private var announcedWake: BootInstant?
  private var activeRegions: [BeaconRegion] = []
  /// When the newest of them was added.
  private var activeSince = BootInstant.zero
  private var listened: [BeaconRegion] = []
  /// The regions that were requested from the radio.
  private var requestedRegions: [BeaconRegion] = []
  public private(set) var nearest: BeaconRegion?

  /// The duty cycle of scanning.
  private enum ScanMode: Hashable { case never, compared, planned, always }

  public init(_ settings: BeaconSettings) {
    self.settings = settings
    watch = BeaconRegionMonitor(leastStrength: settings.leastStrength)
    plan = ScanPlan(listening: settings.listening, pause: settings.pause)
  }

  // MARK: Known state

  /// The regions that the board is in.
  public var inside: [BeaconRegion] { watch.inside }

  public func proximity(of region: BeaconRegion) -> Proximity { watch.proximity(of: region) }

  /// Whether the radio is requested to listen, at least for a part of the time.
  public var isListening: Bool { !listened.isEmpty }

  // MARK: Events

  /// - Parameter now: never earlier than in the last call.
  public mutating func step(
    _ event: BeaconStationEvent, at now: BootInstant
  ) -> [BeaconStationEffect] {
    var effects: [BeaconStationEffect] = []
    switch event {
    case .wanted(let regions):
      // Compared at every event, which costs nothing while they are the same array.
      if regions != wanted { wanted = regions }
    case .expected(let isExpected): self.isExpected = isExpected
    case .resting(let since, let isFelt):
      restingSince = since
      self.hasMotionSensor = isFelt
    case .watched(let isWatched): self.isObserved = isWatched
    case .radio(let news): received(news, at: now, &effects)
    case .timePassed: pass(.timePassed, at: now, &effects)
    }
    // Time passes with every event, so that a timer of the watch may be due.
    if let watchWake, watchWake <= now { pass(.timePassed, at: now, &effects) }
    listen(at: now, &effects)
    compare(&effects)
    scan(at: now, &effects)
    assessRadio(at: now, &effects)
    let next = BootInstant.earlier(.earlier(planWake, watchWake), nextChange(after: now))
    if next != announcedWake {
      announcedWake = next
      effects.append(.wake(next))
    }
    return effects
  }

  private mutating func received(
    _ news: BeaconRadioEvent, at now: BootInstant, _ effects: inout [BeaconStationEffect]
  ) {
    switch news {
    case .received(let frame, let strength): pass(.received(frame, strength), at: now, &effects)
    case .found(let frame, let strength): pass(.found(frame, strength), at: now, &effects)
    case .lost(let beacon): return pass(.lost(beacon), at: now, &effects)
    case .otherDevice: break
    case .listening(let isOn):
      return pass(.listening(isOn), at: now, &effects)
    case .monitors(let keepsWatch):
      self.radioMonitors = keepsWatch
      return
    case .restarted:
      assessedListening = watch.listened(at: now)
      _ = health.step(.restarted)
      return
    }
    assessedListening = watch.listened(at: now)
    report(health.step(.received), &effects)
  }

  /// Passes an event to the watch of the regions.
  private mutating func pass(
    _ event: BeaconEvent, at now: BootInstant, _ effects: inout [BeaconStationEffect]
  ) {
    for effect in watch.step(event, at: now) {
      switch effect {
      case .entered(let region, let beacon): effects.append(.entered(region, beacon))
      case .left(let region, let lastReception):
        effects.append(.left(region, lastReception: lastReception))
      case .proximity(let region, let proximity): effects.append(.proximity(region, proximity))
      case .wake(let instant): watchWake = instant
      }
    }
  }

  // MARK: The radio

  private mutating func listen(at now: BootInstant, _ effects: inout [BeaconStationEffect]) {
    let counts = isExpected || settings.occasion == .always || !watch.inside.isEmpty
    let regions = counts ? wanted : []
    if regions != activeRegions {
      if !Set(regions).isSubset(of: activeRegions) { activeSince = now }
      activeRegions = regions
      pass(.wanted(regions), at: now, &effects)
    }
    let needed = settings.rest == .still && isStill(at: now) ? [] : regions
    if needed != listened {
      listened = needed
      if !needed.isEmpty { pass(.resumed, at: now, &effects) }
    }
    // While the station lets the radio scan, its own monitoring is not needed.
    let next = radioMonitors && isMoving(at: now) ? [] : needed
    guard next != requestedRegions else { return }
    requestedRegions = next
    effects.append(.listen(next))
    if next.isEmpty { pass(.released, at: now, &effects) }
  }

  /// When the use of the radio changes next without an event; nil: never.
  private func nextChange(after now: BootInstant) -> BootInstant? {
    guard !listened.isEmpty else { return nil }
    let begun = radioMonitors ? activeSince + Self.beginning : nil
    return [begun, stillAt, approachEnds(at: now)].compactMap { $0 }.filter { $0 > now }.min()
  }

  /// How long the moving board may be about to enter a region; nil: it is not.
  private func approachEnds(at now: BootInstant) -> BootInstant? {
    hasMotionSensor && isMoving(at: now) ? watch.approachEnds(at: now) : nil
  }

  /// When the board will have rested long enough for the radio to be switched off; nil: it does not
  /// rest. Regions that are added during a rest get the same time.
  private var stillAt: BootInstant? {
    restingSince.map { max($0, activeSince) + Self.settling }
  }

  private func isStill(at now: BootInstant) -> Bool { stillAt.map { now >= $0 } ?? false }

  /// Whether a motion sensor shows that the board moves or did so until recently, or regions have
  /// just been added.
  private func isMoving(at now: BootInstant) -> Bool {
    now - activeSince < Self.beginning
      || hasMotionSensor && (settings.rest == .still || !isStill(at: now))
  }

  private mutating func scan(at now: BootInstant, _ effects: inout [BeaconStationEffect]) {
    let isPlanned = !listened.isEmpty && (!radioMonitors || isMoving(at: now))
    let pace: ScanMode =
      if isObserved || isPlanned && isUncertain(at: now) {
        .always
      } else if isPlanned {
        .planned
      } else {
        watch.inside.count > 1 ? .compared : .never
      }
    var planned: [ScanPlan.Effect]
    if pace == self.scanMode {
      planned = plan.step(.timePassed, at: now)
    } else {
      self.scanMode = pace
      // The old plan is ended, and the new one begins.
      planned = plan.step(.expected(false), at: now)
      plan = plan(at: pace)
      planned += plan.step(.expected(pace != .never), at: now)
    }
    follow(planned, &effects)
  }

  /// Whether more listening would decide about entering or leaving.
  private func isUncertain(at now: BootInstant) -> Bool {
    hasMotionSensor && watch.isFading(at: now) || approachEnds(at: now) != nil
  }

  private func plan(at pace: ScanMode) -> ScanPlan {
    switch pace {
    case .compared:
      ScanPlan(listening: Self.comparison.listening, pause: Self.comparison.pause)
    case .always: ScanPlan(listening: settings.listening, pause: 0)
    case .planned, .never: ScanPlan(listening: settings.listening, pause: settings.pause)
    }
  }

  private mutating func follow(
    _ planned: [ScanPlan.Effect], _ effects: inout [BeaconStationEffect]
  ) {
    var isOn = isScanning
    for effect in planned {
      switch effect {
      case .listen(let isListening): isOn = isListening
      case .wake(let instant): planWake = instant
      }
    }
    guard isOn != isScanning else { return }
    isScanning = isOn
    effects.append(.scan(isOn))
  }

  /// A radio that monitors beacons reports nothing while nothing changes.
  private mutating func assessRadio(at now: BootInstant, _ effects: inout [BeaconStationEffect]) {
    let total = watch.listened(at: now)
    if !radioMonitors || watch.inside.isEmpty {
      report(health.step(.listened(total - assessedListening)), &effects)
    }
    assessedListening = total
  }

  private func report(_ judged: [RadioHealth.Effect], _ effects: inout [BeaconStationEffect]) {
    for effect in judged {
      switch effect {
      case .restart(let silence): effects.append(.restart(afterSilence: silence))
      case .recovered: effects.append(.recovered)
      }
    }
  }

  // MARK: The nearest

  private mutating func compare(_ effects: inout [BeaconStationEffect]) {
    let next = nearestOfAll
    guard next != nearest else { return }
    nearest = next
    effects.append(.nearest(next))
  }

  private var nearestOfAll: BeaconRegion? {
    let inside = watch.inside
    guard inside.count > 1 else { return inside.first }
    let known = inside.compactMap { region in watch.distance(of: region).map { (region, $0) } }
    // If too little is received for an estimate, the nearest region does not change.
    guard let best = known.min(by: { $0.1 < $1.1 }) else {
      return nearest.flatMap { inside.contains($0) ? $0 : nil } ?? inside.first
    }
    guard let nearest, inside.contains(nearest), let distance = watch.distance(of: nearest),
      best.1 > distance * Self.nearer
    else { return best.0 }
    return nearest
  }
}
