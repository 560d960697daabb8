import Core

/// What a radio tells of the beacons around.
public enum BeaconRadioEvent: Hashable, Sendable {
  case heard(BeaconFrame, DecibelMilliwatts)
  /// One is there that counts: the radio keeps watch of it, and tells when it is lost.
  case found(BeaconFrame, DecibelMilliwatts)
  case lost(BeaconIdentity)
  /// Something was heard that is no beacon: the radio works.
  case alive
  /// It listens from now on, or does not, for whatever reason.
  case listening(Bool)
  /// Whether it keeps watch by itself of what it is to listen for; else it has to scan.
  case keepsWatch(Bool)
  /// Its power was switched: it begins anew.
  case restarted
}

/// What can happen to the beacons around the board.
public enum BeaconStationEvent: Sendable {
  /// Which regions count from now on, each once.
  case wanted([BeaconRegion])
  /// Whether one of them could be heard here.
  case expected(Bool)
  /// The board rests since then, and something would tell if it moved; nil: nobody knows, or it
  /// moves. Whether a sensor feels it.
  case resting(since: BootInstant?, isFelt: Bool)
  /// Whether somebody looks on, and wants to see how near they are.
  case watched(Bool)
  case radio(BeaconRadioEvent)
  case timePassed
}

public enum BeaconStationEffect: Hashable, Sendable {
  case entered(BeaconRegion, BeaconIdentity)
  case left(BeaconRegion, lastHeard: BootInstant)
  case proximity(BeaconRegion, Proximity)
  /// Which of those that are heard is the nearest: the room that the board is in. Nil: none.
  case nearest(BeaconRegion?)
  /// What the radio is to listen for; empty: it is not needed.
  case listen([BeaconRegion])
  /// It is to tell each advertisement that it hears, or needs not.
  case scan(Bool)
  /// It has fallen silent: it is to be switched off and on.
  case restart(afterSilence: Seconds)
  case recovered
  /// When `timePassed` is wanted next; replaces what was wanted before. Nil: not at all.
  case wake(BootInstant?)
}

/// Everything that is decided about beacons: what the radio does and when, and what comes of what
/// it hears. It is told which regions count, and whether one of them could be near.
///
/// Whoever hears a beacon is near it, whatever the last location says, which may be a wrong one: it
/// counts until it is heard no longer.
///
/// Who rests neither comes nor goes: a minute after the board has come to rest the radio rests,
/// too, and all stays as it was until it moves. Where several beacons are heard it still compares
/// them now and then: a step into the next room may not be felt as a movement.
///
/// A radio that keeps watch by itself is left alone, and scans only where somebody looks on, where
/// several beacons are heard and it has to be told which is the nearest, or where the board is felt
/// to move or begins to listen: coming and going are told sooner and surer by single
/// advertisements. Any other scans as the plan has it. A board that is felt to move scans without
/// pauses while one that was heard is not any more, and for seconds after one that does not let it
/// enter yet.
public struct BeaconStation: Sendable {
  /// How often it is looked which of several is the nearest: 5 s of every 30.
  private static let comparison = (listening: Seconds(5), pause: Seconds(25))
  /// What comes to rest is heard for so long before the radio rests.
  private static let settling: Seconds = 60
  /// So long the radio scans for what counts from now on: who has just been switched on where a
  /// beacon is does not wait for what keeps watch.
  private static let beginning: Seconds = 10
  /// So much nearer another one has to seem, as strengths go up and down: 3 dB.
  private static let nearer = 0.7

  private let settings: BeaconSettings
  private var watch: BeaconWatch
  private var plan: ScanPlan
  private var health = RadioHealth()
  private var wanted: [BeaconRegion] = []
  private var isExpected = false
  private var isWatched = false
  private var restingSince: BootInstant?
  private var isFelt = false
  private var keepsWatch = false
  /// Whether the radio was told to scan.
  private var isScanning = false
  private var pace = Pace.never
  /// Of the listening what has been held against the radio.
  private var judged: Seconds = 0
  private var planWake: BootInstant?
  private var watchWake: BootInstant?
  private var told: BootInstant?
  private var watched: [BeaconRegion] = []
  /// Since when the newest of them is.
  private var watchedSince = BootInstant.zero
  private var listened: [BeaconRegion] = []
  /// What the radio was told to listen for.
  private var asked: [BeaconRegion] = []
  public private(set) var nearest: BeaconRegion?

  /// How the radio scans.
  private enum Pace: Hashable { case never, compared, planned, always }

  public init(_ settings: BeaconSettings) {
    self.settings = settings
    watch = BeaconWatch(leastStrength: settings.leastStrength)
    plan = ScanPlan(listening: settings.listening, pause: settings.pause)
  }

  // MARK: What is known

  /// The regions that the board is in.
  public var inside: [BeaconRegion] { watch.inside }

  public func proximity(of region: BeaconRegion) -> Proximity { watch.proximity(of: region) }

  /// Whether the radio is asked to listen, some of the time at least.
  public var isListening: Bool { !listened.isEmpty }

  // MARK: What happens

  /// - Parameter now: never earlier than before.
  public mutating func step(
    _ event: BeaconStationEvent, at now: BootInstant
  ) -> [BeaconStationEffect] {
    var effects: [BeaconStationEffect] = []
    switch event {
    case .wanted(let regions):
      // They are compared at every event, which takes no time as long as they are the same array.
      if regions != wanted { wanted = regions }
    case .expected(let isExpected): self.isExpected = isExpected
    case .resting(let since, let isFelt):
      restingSince = since
      self.isFelt = isFelt
    case .watched(let isWatched): self.isWatched = isWatched
    case .radio(let news): heard(news, at: now, &effects)
    case .timePassed: pass(.timePassed, at: now, &effects)
    }
    // Time passes with every event, and may have passed what those who watch have waited for.
    if let watchWake, watchWake <= now { pass(.timePassed, at: now, &effects) }
    listen(at: now, &effects)
    compare(&effects)
    scan(at: now, &effects)
    judge(at: now, &effects)
    let next = BootInstant.earlier(.earlier(planWake, watchWake), turn(after: now))
    if next != told {
      told = next
      effects.append(.wake(next))
    }
    return effects
  }

  private mutating func heard(
    _ news: BeaconRadioEvent, at now: BootInstant, _ effects: inout [BeaconStationEffect]
  ) {
    switch news {
    case .heard(let frame, let strength): pass(.heard(frame, strength), at: now, &effects)
    case .found(let frame, let strength): pass(.found(frame, strength), at: now, &effects)
    case .lost(let beacon): return pass(.lost(beacon), at: now, &effects)
    case .alive: break
    case .listening(let isOn):
      return pass(.listening(isOn), at: now, &effects)
    case .keepsWatch(let keepsWatch):
      self.keepsWatch = keepsWatch
      return
    case .restarted:
      judged = watch.listened(at: now)
      _ = health.step(.restarted)
      return
    }
    judged = watch.listened(at: now)
    tell(health.step(.heard), &effects)
  }

  /// To those who watch the regions.
  private mutating func pass(
    _ event: BeaconEvent, at now: BootInstant, _ effects: inout [BeaconStationEffect]
  ) {
    for effect in watch.step(event, at: now) {
      switch effect {
      case .entered(let region, let beacon): effects.append(.entered(region, beacon))
      case .left(let region, let lastHeard): effects.append(.left(region, lastHeard: lastHeard))
      case .proximity(let region, let proximity): effects.append(.proximity(region, proximity))
      case .wake(let instant): watchWake = instant
      }
    }
  }

  // MARK: The radio

  private mutating func listen(at now: BootInstant, _ effects: inout [BeaconStationEffect]) {
    let counts = isExpected || settings.occasion == .always || !watch.inside.isEmpty
    let regions = counts ? wanted : []
    if regions != watched {
      if !Set(regions).isSubset(of: watched) { watchedSince = now }
      watched = regions
      pass(.wanted(regions), at: now, &effects)
    }
    let needed = settings.rest == .still && isStill(at: now) ? [] : regions
    if needed != listened {
      listened = needed
      if !needed.isEmpty { pass(.resumed, at: now, &effects) }
    }
    // Where the station has it scan it needs not keep watch.
    let next = keepsWatch && isStirring(at: now) ? [] : needed
    guard next != asked else { return }
    asked = next
    effects.append(.listen(next))
    if next.isEmpty { pass(.released, at: now, &effects) }
  }

  /// When the radio is to be used in another way, if nothing happens; nil: never.
  private func turn(after now: BootInstant) -> BootInstant? {
    guard !listened.isEmpty else { return nil }
    let begun = keepsWatch ? watchedSince + Self.beginning : nil
    return [begun, stillAt, approachEnds(at: now)].compactMap { $0 }.filter { $0 > now }.min()
  }

  /// Until when the moving board is about to come somewhere, perhaps; nil: it is not.
  private func approachEnds(at now: BootInstant) -> BootInstant? {
    isFelt && isStirring(at: now) ? watch.approachEnds(at: now) : nil
  }

  /// When the board will have rested for so long that nothing new is to be heard; nil: it does not
  /// rest. What is listened for anew where it rests already has its minute, too.
  private var stillAt: BootInstant? {
    restingSince.map { max($0, watchedSince) + Self.settling }
  }

  private func isStill(at now: BootInstant) -> Bool { stillAt.map { now >= $0 } ?? false }

  /// Whether the board is felt to move, or has moved a moment ago, or has just begun to listen.
  private func isStirring(at now: BootInstant) -> Bool {
    now - watchedSince < Self.beginning
      || isFelt && (settings.rest == .still || !isStill(at: now))
  }

  private mutating func scan(at now: BootInstant, _ effects: inout [BeaconStationEffect]) {
    let isPlanned = !listened.isEmpty && (!keepsWatch || isStirring(at: now))
    let pace: Pace =
      if isWatched || isPlanned && isUncertain(at: now) {
        .always
      } else if isPlanned {
        .planned
      } else {
        watch.inside.count > 1 ? .compared : .never
      }
    var planned: [ScanPlan.Effect]
    if pace == self.pace {
      planned = plan.step(.timePassed, at: now)
    } else {
      self.pace = pace
      // It ends, and begins as it goes on.
      planned = plan.step(.expected(false), at: now)
      plan = plan(at: pace)
      planned += plan.step(.expected(pace != .never), at: now)
    }
    follow(planned, &effects)
  }

  /// Whether a moment more of listening tells of a coming or a going.
  private func isUncertain(at now: BootInstant) -> Bool {
    isFelt && watch.isFading(at: now) || approachEnds(at: now) != nil
  }

  private func plan(at pace: Pace) -> ScanPlan {
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

  /// A radio that keeps watch tells nothing as long as all stays as it is.
  private mutating func judge(at now: BootInstant, _ effects: inout [BeaconStationEffect]) {
    let total = watch.listened(at: now)
    if !keepsWatch || watch.inside.isEmpty {
      tell(health.step(.listened(total - judged)), &effects)
    }
    judged = total
  }

  private func tell(_ judged: [RadioHealth.Effect], _ effects: inout [BeaconStationEffect]) {
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
    // What is heard too seldom to say stays as it was.
    guard let best = known.min(by: { $0.1 < $1.1 }) else {
      return nearest.flatMap { inside.contains($0) ? $0 : nil } ?? inside.first
    }
    guard let nearest, inside.contains(nearest), let distance = watch.distance(of: nearest),
      best.1 > distance * Self.nearer
    else { return best.0 }
    return nearest
  }
}
