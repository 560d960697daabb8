import Core

/// Whether the board is in one region of beacons, and which of them it hears.
///
/// Of a beacon beyond its reach the strongest advertisements are received all the same, in the next
/// room but one for hours. A single one lets the board enter only if it is clearly strong enough,
/// and keeps it there only among others.
struct RegionPresence: Sendable {
  /// A region of a whole owner has as many as people carry past: the one that was heard longest ago
  /// makes room.
  private static let mostBeacons = 32
  /// How often it is looked how near they are, however much is heard: as often as phones do
  /// (LYU1402, 3.1.2).
  private static let proximityPause: Seconds = 1

  /// So much stronger than the weakest that counts a single advertisement lets the board enter.
  private static let clearly: DecibelMilliwatts = 5

  /// Of listening: a beacon of 1 Hz is missed for so long once in 30 times, and listened on to.
  private static let chance: Seconds = 3

  /// What is shorter has passed: times are sums, and who waited for less would wait in vain.
  private static let instant: Seconds = 0.001

  private struct Heard {
    var filter = ProximityFilter()
    /// How many of the region had been heard by then.
    var last = 0
    /// Whether the radio keeps watch of it.
    var isKept = false
  }

  var isInside: Bool { lastHeard != nil }
  /// Among others that were strong enough, or when it let the board enter; nil: it has not.
  private(set) var lastHeard: BootInstant?
  private var regularity = ReceptionRate()
  private var lastReceived: BootInstant?
  private(set) var proximity = Proximity.unknown
  /// What the radio had listened for by then.
  private var listenedWhenHeard: Seconds = 0
  private var beacons: [BeaconIdentity: Heard] = [:]
  private var count = 0
  private var proximityDue: BootInstant?

  mutating func heard(
    _ frame: BeaconFrame, _ strength: DecibelMilliwatts, isKept: Bool, listened: Seconds,
    leastStrength: DecibelMilliwatts, outdone isOutdone: Bool, at now: BootInstant
  ) {
    if beacons[frame.beacon] == nil { makeRoom() }
    count += 1
    var heard = beacons[frame.beacon] ?? Heard()
    heard.last = count
    if isKept { heard.isKept = true }
    heard.filter.heard(strength, strengthAtOneMetre: frame.strengthAtOneMetre, at: now)
    beacons[frame.beacon] = heard
    lastReceived = now
    // One that is heard with an unknown strength is there.
    guard isKept || strength >= leastStrength else { return }
    let isRegular = regularity.heard(afterListening: listened)
    guard isInside else {
      let isEntered =
        isKept || strength >= leastStrength + Self.clearly
        || (!isOutdone && heard.filter.steadyMedian(at: now).map { $0 >= leastStrength } ?? false)
      if isEntered { counts(listened: listened, at: now) }
      return
    }
    // With every third advertisement lost no half of them is heard for half a minute now and then.
    let isPast = listened - listenedWhenHeard >= Seconds(Double(ReceptionRate.window))
    let isThere = isOutdone ? regularity.isSteady : isRegular || isPast && regularity.isFrequent
    if isKept || isThere { counts(listened: listened, at: now) }
  }

  /// One that the radio kept watch of is silent.
  mutating func lost(_ beacon: BeaconIdentity, listened: Seconds, at now: BootInstant) {
    guard beacons[beacon]?.isKept == true else { return }
    beacons[beacon] = nil
    guard let lastHeard, !isKept else { return }
    self.lastHeard = max(lastHeard, now - BeaconWatch.silence)
    listenedWhenHeard = min(listenedWhenHeard, listened - BeaconWatch.listenedSilence)
  }

  /// The radio keeps watch no longer: until now all was there that it had.
  mutating func release(listened: Seconds, at now: BootInstant) {
    guard isKept else { return }
    for beacon in beacons.keys { beacons[beacon]?.isKept = false }
    resume(listened: listened, at: now)
  }

  /// Until now all was there that is.
  mutating func resume(listened: Seconds, at now: BootInstant) {
    if isInside { counts(listened: listened, at: now) }
  }

  private mutating func counts(listened: Seconds, at now: BootInstant) {
    lastHeard = now
    listenedWhenHeard = listened
  }

  private var isKept: Bool { beacons.values.contains(where: \.isKept) }

  /// That of its strongest beacon over a while; nil: none was heard of late.
  func strength(at now: BootInstant) -> DecibelMilliwatts? {
    beacons.values.compactMap { $0.filter.steadyMedian(at: now) }.max()
  }

  /// The same over the last seconds.
  func presentStrength(at now: BootInstant) -> DecibelMilliwatts? {
    beacons.values.compactMap { $0.filter.presentMedian(at: now) }.max()
  }

  /// As far away as the nearest beacon seems to be; nil: it is heard too seldom to say.
  var distance: Metres? { beacons.values.compactMap(\.filter.steadyDistance).min() }

  /// Whether it is not heard as it was, for longer than by chance.
  func isFading(_ listened: Seconds) -> Bool {
    isInside && !isKept && listened - listenedWhenHeard > Self.chance
  }

  private mutating func makeRoom() {
    guard beacons.count >= Self.mostBeacons,
      let oldest = beacons.min(by: { $0.value.last < $1.value.last })
    else { return }
    beacons[oldest.key] = nil
  }

  /// When something was last heard, if that is long enough ago to have left; nil: it is not.
  func silentSince(_ listened: Seconds, at now: BootInstant) -> BootInstant? {
    guard !isKept, let lastHeard, now - lastHeard >= BeaconWatch.silence,
      BeaconWatch.listenedSilence - (listened - listenedWhenHeard) < Self.instant
    else { return nil }
    return lastHeard
  }

  /// - Returns: whether it has changed.
  mutating func updateProximity(at now: BootInstant) -> Bool {
    if let proximityDue, now < proximityDue { return false }
    proximityDue = now + Self.proximityPause
    let before = proximity
    for beacon in beacons.keys { beacons[beacon]?.filter.update(at: now) }
    let classes = Set(beacons.values.map(\.filter.proximity))
    proximity = Proximity.allCases.first { classes.contains($0) } ?? .unknown
    return proximity != before
  }

  /// When it could be left, or its proximity be unknown; nil: something else happens before.
  func nextChange(
    _ listened: Seconds, isListening: Bool, at now: BootInstant
  ) -> BootInstant? {
    guard let lastHeard else { return nil }
    let missing = BeaconWatch.listenedSilence - (listened - listenedWhenHeard)
    let silent = lastHeard + BeaconWatch.silence
    var left: BootInstant?
    if !isKept {
      left =
        missing < Self.instant ? max(silent, now) : (isListening ? max(silent, now + missing) : nil)
    }
    let fading = max(
      (lastReceived ?? lastHeard) + ProximityFilter.window, proximityDue ?? lastHeard)
    let unknown = proximity == .unknown ? nil : max(fading, now)
    return BootInstant.earlier(left, unknown)
  }
}
