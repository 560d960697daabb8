import Core

/// Whether the board is in one region of beacons, and which of them are received.
///
/// The strongest advertisements of a distant beacon are received even beyond its usual range, for
/// hours two rooms away. A single advertisement causes an entry only if it is clearly strong
/// enough, and prevents leaving only among others.
struct RegionPresence: Sendable {
  /// The limit of beacons: a region of a whole owner has as many as people carry past. The one with
  /// the oldest reception is dropped.
  private static let mostBeacons = 32
  /// The interval of proximity updates, independent of the number of receptions: the same as on
  /// phones (LYU1402, 3.1.2).
  private static let proximityPause: Seconds = 1

  /// A single advertisement causes an entry if it exceeds the limit by this much.
  private static let clearly: DecibelMilliwatts = 5

  /// Of listening time: a 1 Hz beacon is missed for this long once in 30 times, so that the radio
  /// keeps listening.
  private static let chance: Seconds = 3

  /// Shorter times count as elapsed: times are rounded sums, so that a timer for less could repeat
  /// forever.
  private static let instant: Seconds = 0.001

  private struct ReceivedBeacon {
    var filter = ProximityFilter()
    /// The count of receptions in the region at its last reception.
    var last = 0
    /// Whether the radio monitors it.
    var isKept = false
  }

  var isInside: Bool { lastConfirmed != nil }
  /// The last reception among others that were strong enough, or the entry; nil: not inside.
  private(set) var lastConfirmed: BootInstant?
  private var regularity = ReceptionRate()
  private var lastReceived: BootInstant?
  private(set) var proximity = Proximity.unknown
  /// The listening time at that reception.
  private var listeningTimeAtReception: Seconds = 0
  private var beacons: [BeaconIdentity: ReceivedBeacon] = [:]
  private var count = 0
  private var proximityDue: BootInstant?

  mutating func received(
    _ frame: BeaconFrame, _ strength: DecibelMilliwatts, isKept: Bool, listened: Seconds,
    leastStrength: DecibelMilliwatts, outdone isOutdone: Bool, at now: BootInstant
  ) {
    if beacons[frame.beacon] == nil { makeRoom() }
    count += 1
    var received = beacons[frame.beacon] ?? ReceivedBeacon()
    received.last = count
    if isKept { received.isKept = true }
    received.filter.received(strength, strengthAtOneMetre: frame.strengthAtOneMetre, at: now)
    beacons[frame.beacon] = received
    lastReceived = now
    // A monitored beacon is present whatever its strength.
    guard isKept || strength >= leastStrength else { return }
    let isRegular = regularity.received(afterListening: listened)
    guard isInside else {
      let isEntered =
        isKept || strength >= leastStrength + Self.clearly
        || (!isOutdone
          && received.filter.steadyMedian(at: now).map { $0 >= leastStrength } ?? false)
      if isEntered { counts(listened: listened, at: now) }
      return
    }
    // With every third advertisement lost, fewer than half are received for half a minute now and
    // then.
    let isPast = listened - listeningTimeAtReception >= Seconds(Double(ReceptionRate.window))
    let isThere = isOutdone ? regularity.isSteady : isRegular || isPast && regularity.isFrequent
    if isKept || isThere { counts(listened: listened, at: now) }
  }

  /// A monitored beacon is silent.
  mutating func lost(_ beacon: BeaconIdentity, listened: Seconds, at now: BootInstant) {
    guard beacons[beacon]?.isKept == true else { return }
    beacons[beacon] = nil
    guard let lastConfirmed, !isMonitored else { return }
    self.lastConfirmed = max(lastConfirmed, now - BeaconRegionMonitor.silence)
    listeningTimeAtReception = min(
      listeningTimeAtReception, listened - BeaconRegionMonitor.listenedSilence)
  }

  /// The radio no longer monitors beacons: until now all monitored ones were present.
  mutating func release(listened: Seconds, at now: BootInstant) {
    guard isMonitored else { return }
    for beacon in beacons.keys { beacons[beacon]?.isKept = false }
    resume(listened: listened, at: now)
  }

  /// Until now everything was present that is inside.
  mutating func resume(listened: Seconds, at now: BootInstant) {
    if isInside { counts(listened: listened, at: now) }
  }

  private mutating func counts(listened: Seconds, at now: BootInstant) {
    lastConfirmed = now
    listeningTimeAtReception = listened
  }

  private var isMonitored: Bool { beacons.values.contains(where: \.isKept) }

  /// The strength of its strongest beacon over a longer time; nil: none was received recently.
  func strength(at now: BootInstant) -> DecibelMilliwatts? {
    beacons.values.compactMap { $0.filter.steadyMedian(at: now) }.max()
  }

  /// The same over the last seconds.
  func presentStrength(at now: BootInstant) -> DecibelMilliwatts? {
    beacons.values.compactMap { $0.filter.presentMedian(at: now) }.max()
  }

  /// The estimated distance of the nearest beacon; nil: received too rarely.
  var distance: Metres? { beacons.values.compactMap(\.filter.steadyDistance).min() }

  /// Whether reception has been missing for longer than chance explains.
  func isFading(_ listened: Seconds) -> Bool {
    isInside && !isMonitored && listened - listeningTimeAtReception > Self.chance
  }

  private mutating func makeRoom() {
    guard beacons.count >= Self.mostBeacons,
      let oldest = beacons.min(by: { $0.value.last < $1.value.last })
    else { return }
    beacons[oldest.key] = nil
  }

  /// The last reception, if it is old enough for leaving; nil: it is not.
  func silentSince(_ listened: Seconds, at now: BootInstant) -> BootInstant? {
    guard !isMonitored, let lastConfirmed, now - lastConfirmed >= BeaconRegionMonitor.silence,
      BeaconRegionMonitor.listenedSilence - (listened - listeningTimeAtReception) < Self.instant
    else { return nil }
    return lastConfirmed
  }

  /// - Returns: whether the proximity has changed.
  mutating func updateProximity(at now: BootInstant) -> Bool {
    if let proximityDue, now < proximityDue { return false }
    proximityDue = now + Self.proximityPause
    let before = proximity
    for beacon in beacons.keys { beacons[beacon]?.filter.update(at: now) }
    let classes = Set(beacons.values.map(\.filter.proximity))
    proximity = Proximity.allCases.first { classes.contains($0) } ?? .unknown
    return proximity != before
  }

  /// When leaving, or an unknown proximity, becomes possible; nil: another event comes first.
  func nextChange(
    _ listened: Seconds, isListening: Bool, at now: BootInstant
  ) -> BootInstant? {
    guard let lastConfirmed else { return nil }
    let missing = BeaconRegionMonitor.listenedSilence - (listened - listeningTimeAtReception)
    let silent = lastConfirmed + BeaconRegionMonitor.silence
    var left: BootInstant?
    if !isMonitored {
      left =
        missing < Self.instant ? max(silent, now) : (isListening ? max(silent, now + missing) : nil)
    }
    let fading = max(
      (lastReceived ?? lastConfirmed) + ProximityFilter.window, proximityDue ?? lastConfirmed)
    let unknown = proximity == .unknown ? nil : max(fading, now)
    return BootInstant.earlier(left, unknown)
  }
}
