import Core

/// What can happen to the beacons around the board.
public enum BeaconEvent: Sendable {
  /// Which regions count from now on, instead of those before; each once.
  case wanted([BeaconRegion])
  case heard(BeaconFrame, DecibelMilliwatts)
  /// The radio hears one, keeps watch of it, and tells when it is silent; nothing before.
  case found(BeaconFrame, DecibelMilliwatts)
  /// One that was found has been silent for as long as it takes to leave.
  case lost(BeaconIdentity)
  /// The radio listens again after the board has rested: all that was there is until it has been
  /// silent from now on.
  case resumed
  /// The radio keeps watch of nothing any more: all that it kept watch of is there until it has
  /// been silent from now on.
  case released
  /// The radio listens from now on, or does not: its silence says nothing then.
  case listening(Bool)
  case timePassed
}

/// What has come of it.
public enum BeaconEffect: Hashable, Sendable {
  case entered(BeaconRegion, BeaconIdentity)
  /// Nothing of it has been heard since then.
  case left(BeaconRegion, lastHeard: BootInstant)
  /// How near the nearest beacon of a region is that the board is in.
  case proximity(BeaconRegion, Proximity)
  /// When `timePassed` is wanted next; replaces what was wanted before. Nil: not at all.
  case wake(BootInstant?)
}

/// Watches regions of beacons: whether the board is in one, and how near.
///
/// A region is entered with the first advertisement that is clearly strong enough, or with a few
/// that just are: there are 5 s to tell, beacons send once a second, and the radio listens a part
/// of the time. It is left after half a minute in which it was not heard regularly (LYU1402, 4.1:
/// 26 to 34 s on a phone), of which the radio must have listened for some: a board that was asleep
/// has not left.
public struct BeaconWatch: Sendable {
  /// How long nothing is heard regularly of a region that is left.
  public static let silence: Seconds = 30
  /// How long of that the radio has to have listened, at least: a beacon of 1 Hz of which every
  /// third advertisement is lost is silent for so long once in 700 times.
  public static let listenedSilence: Seconds = 6
  /// By so much a beacon in the same room is stronger than one in the next, at least: three times
  /// the distance takes 10 dB in free space, and a wall is in between.
  private static let outdoing: DecibelMilliwatts = 12
  /// For so long after one of a region that the board is not in yet more of it is waited for.
  private static let approach: Seconds = 5
  private let leastStrength: DecibelMilliwatts
  /// Which regions count, and the place of each among those that were named.
  private var positions: [BeaconRegion: Int] = [:]
  /// Of those of which something was heard since they were left: there may be tens of thousands of
  /// regions, and an advertisement costs as little then.
  private var presences: [BeaconRegion: RegionPresence] = [:]
  /// When one was last heard that is strong enough, and did not let the board enter.
  private var approached: BootInstant?
  private var listening = ListeningTime()
  private var told: BootInstant?

  /// - Parameter leastStrength: weaker ones let the board enter nothing.
  public init(leastStrength: DecibelMilliwatts) { self.leastStrength = leastStrength }

  // MARK: What is known

  /// The regions that the board is in, in the order in which they were named.
  public private(set) var inside: [BeaconRegion] = []

  /// Of a region that the board is in; unknown elsewhere.
  public func proximity(of region: BeaconRegion) -> Proximity {
    presences[region]?.proximity ?? .unknown
  }

  /// As far away as the nearest beacon of a region seems to be; nil: nobody can say.
  func distance(of region: BeaconRegion) -> Metres? { presences[region]?.distance }

  /// Whether one that the board is in is not heard as it was.
  func isFading(at now: BootInstant) -> Bool {
    let listened = listening.total(at: now)
    return inside.contains { presences[$0]?.isFading(listened) == true }
  }

  /// Until when another one will be entered, perhaps, with some more of its advertisements; nil:
  /// nothing of it was heard of late.
  func approachEnds(at now: BootInstant) -> BootInstant? {
    approached.map { $0 + Self.approach }.flatMap { $0 > now ? $0 : nil }
  }

  /// How long the radio has listened, of what it has told.
  func listened(at now: BootInstant) -> Seconds { listening.total(at: now) }

  // MARK: What happens

  /// - Parameter now: never earlier than before.
  public mutating func step(_ event: BeaconEvent, at now: BootInstant) -> [BeaconEffect] {
    var effects: [BeaconEffect] = []
    switch event {
    case .wanted(let wanted): want(wanted, at: now, &effects)
    case .heard(let frame, let strength):
      heard(frame, strength, isKept: false, at: now, &effects)
    case .found(let frame, let strength): heard(frame, strength, isKept: true, at: now, &effects)
    case .lost(let beacon): lost(beacon, at: now)
    case .listening(let isOn): listen(isOn, at: now)
    case .resumed: resume(at: now)
    case .released: release(at: now)
    case .timePassed: break
    }
    let listened = listening.total(at: now)
    for region in inside { update(region, listened, at: now, &effects) }
    let next = nextWake(listened, at: now)
    if next != told {
      told = next
      effects.append(.wake(next))
    }
    return effects
  }

  private mutating func want(
    _ wanted: [BeaconRegion], at now: BootInstant, _ effects: inout [BeaconEffect]
  ) {
    positions = Dictionary(zip(wanted, wanted.indices)) { first, _ in first }
    let gone = inside.filter { positions[$0] == nil }
    for region in gone.sorted(by: { $0.description < $1.description }) {
      effects.append(.left(region, lastHeard: presences[region]?.lastHeard ?? now))
    }
    presences = presences.filter { positions[$0.key] != nil }
    inside = inNamedOrder(inside.filter { positions[$0] != nil })
  }

  private mutating func heard(
    _ frame: BeaconFrame, _ strength: DecibelMilliwatts, isKept: Bool, at now: BootInstant,
    _ effects: inout [BeaconEffect]
  ) {
    let listened = listening.total(at: now)
    for region in regions(of: frame.beacon) {
      let wasInside = presences[region]?.isInside == true
      let isOutdone = isOutdone(region, heardNow: strength, at: now)
      presences[region, default: RegionPresence()].heard(
        frame, strength, isKept: isKept, listened: listened, leastStrength: leastStrength,
        outdone: isOutdone, at: now)
      guard presences[region]?.isInside == true else {
        if strength >= leastStrength { approached = now }
        continue
      }
      if !wasInside {
        inside = inNamedOrder(inside + [region])
        effects.append(.entered(region, frame.beacon))
      }
    }
  }

  /// Those that count and that a beacon belongs to.
  private func regions(of beacon: BeaconIdentity) -> [BeaconRegion] {
    inNamedOrder(BeaconRegion.all(of: beacon).filter { positions[$0] != nil })
  }

  private func inNamedOrder(_ regions: [BeaconRegion]) -> [BeaconRegion] {
    regions.sorted { positions[$0, default: 0] < positions[$1, default: 0] }
  }

  /// Whether another one that the board is in is heard so much better that the board may well not
  /// be in this one: over a while where it has to be left, and within seconds where it would be
  /// entered, as who comes from the other is told that soon.
  private func isOutdone(
    _ region: BeaconRegion, heardNow strength: DecibelMilliwatts, at now: BootInstant
  ) -> Bool {
    let presence = presences[region]
    if presence?.isInside == true {
      return isOutdone(region, presence?.strength(at: now)) { $0.strength(at: now) }
    }
    return isOutdone(region, presence?.presentStrength(at: now) ?? strength) {
      $0.presentStrength(at: now)
    }
  }

  /// - Parameter own: of the region; nil: nobody can say.
  private func isOutdone(
    _ region: BeaconRegion, _ own: DecibelMilliwatts?,
    by strength: (RegionPresence) -> DecibelMilliwatts?
  ) -> Bool {
    guard let own else { return false }
    return inside.contains { other in
      guard other != region, let best = presences[other].flatMap(strength) else { return false }
      return best >= own + Self.outdoing
    }
  }

  private mutating func lost(_ beacon: BeaconIdentity, at now: BootInstant) {
    let listened = listening.total(at: now)
    for region in regions(of: beacon) {
      presences[region]?.lost(beacon, listened: listened, at: now)
    }
  }

  /// A radio that is off has forgotten what it kept watch of: it has to be found again.
  private mutating func listen(_ isOn: Bool, at now: BootInstant) {
    listening.turn(isOn, at: now)
    if !isOn { release(at: now) }
  }

  private mutating func release(at now: BootInstant) {
    let listened = listening.total(at: now)
    for region in inside { presences[region]?.release(listened: listened, at: now) }
  }

  private mutating func resume(at now: BootInstant) {
    let listened = listening.total(at: now)
    for region in inside { presences[region]?.resume(listened: listened, at: now) }
  }

  private mutating func update(
    _ region: BeaconRegion, _ listened: Seconds, at now: BootInstant,
    _ effects: inout [BeaconEffect]
  ) {
    if let lastHeard = presences[region]?.silentSince(listened, at: now) {
      presences[region] = nil
      inside.removeAll { $0 == region }
      effects.append(.left(region, lastHeard: lastHeard))
      return
    }
    if presences[region]?.updateProximity(at: now) == true {
      effects.append(.proximity(region, proximity(of: region)))
    }
  }

  private func nextWake(_ listened: Seconds, at now: BootInstant) -> BootInstant? {
    inside.compactMap { region in
      presences[region]?.nextChange(listened, isListening: listening.isOn, at: now)
    }.min()
  }
}
