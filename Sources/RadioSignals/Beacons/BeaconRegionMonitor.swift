import Core

/// Inputs of the beacon watch.
enum BeaconEvent: Sendable {
  /// The relevant regions from now on, which replace the previous ones; each once.
  case wanted([BeaconRegion])
  case received(BeaconFrame, DecibelMilliwatts)
  /// The radio has received a beacon and monitors it; the next report is its loss.
  case found(BeaconFrame, DecibelMilliwatts)
  /// A found beacon has been silent for the time that counts as leaving.
  case lost(BeaconIdentity)
  /// The radio listens again after a rest: everything that was present stays so until it is silent
  /// from now on.
  case resumed
  /// The radio no longer monitors beacons: all monitored ones stay present until they are silent
  /// from now on.
  case released
  /// The radio has started or stopped listening; without listening, silence means nothing.
  case listening(Bool)
  case timePassed
}

/// Outputs of the beacon watch.
enum BeaconEffect: Hashable, Sendable {
  case entered(BeaconRegion, BeaconIdentity)
  /// The region was last received at this time.
  case left(BeaconRegion, lastReception: BootInstant)
  /// The proximity of the nearest beacon of a region that the board is in.
  case proximity(BeaconRegion, Proximity)
  /// When `timePassed` is needed next; replaces the previous request. Nil: not at all.
  case wake(BootInstant?)
}

/// Decides for regions of beacons whether the board is inside, and how near.
///
/// A region is entered with the first clearly strong advertisement, or with a few that are just
/// strong enough: the decision should take 5 s, beacons send once a second, and the radio listens
/// for a part of the time. A region is left after half a minute without regular reception (LYU1402,
/// 4.1: 26 to 34 s on a phone). The radio must have listened for a part of that time: a board that
/// was asleep has not left.
public struct BeaconRegionMonitor: Sendable {
  /// The time without regular reception after which a region is left.
  static let silence: Seconds = 30
  /// The minimum listening time within it: with every third advertisement lost, a 1 Hz beacon is
  /// silent for this long once in 700 times.
  static let listenedSilence: Seconds = 6
  /// The minimum difference between a beacon in the same room and one in the next: three times the
  /// distance costs 10 dB in free space, and there is a wall in between.
  private static let dominance: DecibelMilliwatts = 12
  /// After an advertisement of a region that is not entered yet, more of them are awaited for this
  /// long.
  private static let approach: Seconds = 5
  private let leastStrength: DecibelMilliwatts
  /// The relevant regions, and their order.
  private var positions: [BeaconRegion: Int] = [:]
  /// Only regions received since they were left, so that an advertisement is cheap even with tens
  /// of thousands of regions.
  private var presences: [BeaconRegion: RegionPresence] = [:]
  /// The last advertisement that was strong enough but not sufficient for entering.
  private var approached: BootInstant?
  private var listening = ListeningTime()
  private var announcedWake: BootInstant?

  /// - Parameter leastStrength: weaker advertisements do not count for entering.
  init(leastStrength: DecibelMilliwatts) { self.leastStrength = leastStrength }

  // MARK: Known state

  /// The regions that the board is in, in the order of `wanted`.
  public private(set) var inside: [BeaconRegion] = []

  /// The proximity of a region that the board is in; unknown for others.
  public func proximity(of region: BeaconRegion) -> Proximity {
    presences[region]?.proximity ?? .unknown
  }

  /// The estimated distance of the nearest beacon of a region; nil: unknown.
  func distance(of region: BeaconRegion) -> Metres? { presences[region]?.distance }

  /// Whether the reception of a region that the board is in has become worse.
  func isFading(at now: BootInstant) -> Bool {
    let listened = listening.total(at: now)
    return inside.contains { presences[$0]?.isFading(listened) == true }
  }

  /// How long more advertisements are awaited for entering a region; nil: none was received
  /// recently.
  func approachEnds(at now: BootInstant) -> BootInstant? {
    approached.map { $0 + Self.approach }.flatMap { $0 > now ? $0 : nil }
  }

  /// The radio's listening time, according to its reports.
  func listened(at now: BootInstant) -> Seconds { listening.total(at: now) }

  // MARK: Events

  /// - Parameter now: never earlier than in the last call.
  mutating func step(_ event: BeaconEvent, at now: BootInstant) -> [BeaconEffect] {
    var effects: [BeaconEffect] = []
    switch event {
    case .wanted(let wanted): want(wanted, at: now, &effects)
    case .received(let frame, let strength):
      received(frame, strength, isKept: false, at: now, &effects)
    case .found(let frame, let strength): received(frame, strength, isKept: true, at: now, &effects)
    case .lost(let beacon): lost(beacon, at: now)
    case .listening(let isOn): listen(isOn, at: now)
    case .resumed: resume(at: now)
    case .released: release(at: now)
    case .timePassed: break
    }
    let listened = listening.total(at: now)
    for region in inside { update(region, listened, at: now, &effects) }
    let next = nextWake(listened, at: now)
    if next != announcedWake {
      announcedWake = next
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
      effects.append(.left(region, lastReception: presences[region]?.lastConfirmed ?? now))
    }
    presences = presences.filter { positions[$0.key] != nil }
    inside = inNamedOrder(inside.filter { positions[$0] != nil })
  }

  private mutating func received(
    _ frame: BeaconFrame, _ strength: DecibelMilliwatts, isKept: Bool, at now: BootInstant,
    _ effects: inout [BeaconEffect]
  ) {
    let listened = listening.total(at: now)
    for region in regions(of: frame.beacon) {
      let wasInside = presences[region]?.isInside == true
      let isOutdone = isDominated(region, heardNow: strength, at: now)
      presences[region, default: RegionPresence()].received(
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

  /// The relevant regions that contain a beacon.
  private func regions(of beacon: BeaconIdentity) -> [BeaconRegion] {
    inNamedOrder(BeaconRegion.all(of: beacon).filter { positions[$0] != nil })
  }

  private func inNamedOrder(_ regions: [BeaconRegion]) -> [BeaconRegion] {
    regions.sorted { positions[$0, default: 0] < positions[$1, default: 0] }
  }

  /// Whether another region that the board is in is received so much stronger that the board is
  /// probably not in this one. For leaving, the strengths are medians over a longer time; for
  /// entering, over seconds, so that a change of rooms is detected quickly.
  private func isDominated(
    _ region: BeaconRegion, heardNow strength: DecibelMilliwatts, at now: BootInstant
  ) -> Bool {
    let presence = presences[region]
    if presence?.isInside == true {
      return isDominated(region, presence?.strength(at: now)) { $0.strength(at: now) }
    }
    return isDominated(region, presence?.presentStrength(at: now) ?? strength) {
      $0.presentStrength(at: now)
    }
  }

  /// - Parameter own: the strength of the region; nil: unknown.
  private func isDominated(
    _ region: BeaconRegion, _ own: DecibelMilliwatts?,
    by strength: (RegionPresence) -> DecibelMilliwatts?
  ) -> Bool {
    guard let own else { return false }
    return inside.contains { other in
      guard other != region, let best = presences[other].flatMap(strength) else { return false }
      return best >= own + Self.dominance
    }
  }

  private mutating func lost(_ beacon: BeaconIdentity, at now: BootInstant) {
    let listened = listening.total(at: now)
    for region in regions(of: beacon) {
      presences[region]?.lost(beacon, listened: listened, at: now)
    }
  }

  /// When a radio is off, it loses its monitored beacons, which have to be found again.
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
    if let lastReception = presences[region]?.silentSince(listened, at: now) {
      presences[region] = nil
      inside.removeAll { $0 == region }
      effects.append(.left(region, lastReception: lastReception))
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
