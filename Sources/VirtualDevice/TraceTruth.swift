import Core

/// One moment of a recorded truth.
public struct TruthSample: Hashable, Sendable {
  public var time: UTCInstant
  var position: Coordinate
  public var altitude: Metres?
  public var speed: MetresPerSecond?
  /// The recorder's own horizontal error, from which reception is derived.
  public var accuracy: Metres?

  public init(
    time: UTCInstant, position: Coordinate, altitude: Metres? = nil, speed: MetresPerSecond? = nil,
    accuracy: Metres? = nil
  ) {
    self.time = time
    self.position = position
    self.altitude = altitude
    self.speed = speed
    self.accuracy = accuracy
  }
}

extension TruthSample {
  fileprivate var isOnEarth: Bool {
    position.latitude.magnitude <= 90 && position.longitude.magnitude <= 180
  }

  /// A trace is an arbitrary file: impossible altitudes and speeds are dropped.
  fileprivate var withoutNonsense: TruthSample {
    var sample = self
    if let altitude, !(altitude.magnitude < 100_000) { sample.altitude = nil }
    if let speed, !(speed >= 0 && speed < 10_000) { sample.speed = nil }
    return sample
  }
}

/// Gaps without a sample, and their interpretation.
public struct TraceHoles: Hashable, Sendable {
  /// The gaps counted as stays, and their total duration.
  public fileprivate(set) var stays = 0
  public fileprivate(set) var timeInStays: Seconds = 0
  /// The gaps in which the position is unknown, and their total duration.
  public fileprivate(set) var unknown = 0
  public fileprivate(set) var timeUnknown: Seconds = 0
}

/// A ground truth that repeats a recorded trace. Samples are pulled one by one, so that a year at 1
/// Hz is streamed; between them the path is straight and the speed constant.
public final class TraceTruth: GroundTruth {
  private var next: () -> TruthSample?
  private let maxGap: Seconds
  private let assumedReception: AssumedReception
  private var before: TruthSample
  private var after: TruthSample?
  /// From `before` to `after`; computed on demand, because it is not needed while the receiver is
  /// off, which is most of the time.
  private var stretch: Stretch?
  /// Samples some seconds before `before`: speed and course over that time are far less noisy than
  /// from one second to the next.
  private var anchor: TruthSample
  private var nextAnchor: TruthSample
  private static let anchorAge: Seconds = 10
  /// The scale at which destinations are distinguished.
  private static let stayRadius: Metres = 150
  /// Slower than any travel, and no farther than a recorder takes to wake.
  private static let restingSpeed: MetresPerSecond = 0.3
  private static let farthestWaking: Metres = 2000
  /// A night with its evening. After a longer time a board at the same place has probably not been
  /// there throughout.
  private static let longestStay: Seconds = .hours(16)
  /// The assumed speed on the last stretch before a recorder wakes: between a walk and a ride.
  private static let leavingSpeed: MetresPerSecond = 5
  private var lastTrack: Degrees = 0
  private var lastAltitude: Metres = 0
  public let start: UTCInstant
  /// Samples that were dropped because their time did not increase or their position is not on
  /// Earth.
  public private(set) var samplesRefused = 0
  /// The gaps between the samples pulled so far.
  public private(set) var holes = TraceHoles()

  /// - Parameters:
  ///   - maxGap: in a longer gap between samples the truth is unknown, unless it was a stay.
  ///   - assumedReception: for samples without an accuracy.
  ///   - next: returns the samples in the order of their times, and nil at the end.
  /// - Returns: nil when there is no usable sample.
  public init?(
    maxGap: Seconds = 180, assumedReception: AssumedReception = .open,
    samples next: @escaping () -> TruthSample?
  ) {
    var refused = 0
    var found = next()
    while let sample = found, !sample.isOnEarth {
      refused += 1
      found = next()
    }
    guard let first = found?.withoutNonsense else { return nil }
    samplesRefused = refused
    self.next = next
    self.maxGap = maxGap
    self.assumedReception = assumedReception
    before = first
    anchor = first
    nextAnchor = first
    start = first.time
    lastAltitude = first.altitude ?? 0
    after = pull()
  }

  public convenience init?(_ samples: some Sequence<TruthSample>, maxGap: Seconds = 180) {
    var iterator = samples.makeIterator()
    self.init(maxGap: maxGap) { iterator.next() }
  }

  public var end: UTCInstant? { hasEnded ? before.time : nil }
  public var hasEnded: Bool { after == nil }

  public func accessPoint(at time: UTCInstant) -> AccessPoint? { nil }

  public func another() -> any GroundTruth {
    let readers = SharedSamples.readers(of: next)
    next = readers.0
    return TraceTruth(self, samples: readers.1)
  }

  private init(_ other: TraceTruth, samples: @escaping () -> TruthSample?) {
    next = samples
    maxGap = other.maxGap
    assumedReception = other.assumedReception
    before = other.before
    after = other.after
    anchor = other.anchor
    nextAnchor = other.nextAnchor
    lastTrack = other.lastTrack
    lastAltitude = other.lastAltitude
    start = other.start
  }

  public func settled(at time: UTCInstant) -> UTCInstant? {
    guard let after, after.time - before.time > maxGap else { return nil }
    guard let setOff = departure(for: after) else { return after.time }
    return time < setOff ? setOff : nil
  }

  public func state(at time: UTCInstant) -> TrueState? {
    follow(to: time)
    guard let after else { return time == before.time ? state(share: 0) : nil }
    guard time >= start, let setOff = departure(for: after) else {
      return time == before.time ? state(share: 0) : nil
    }
    if time < setOff { return resting }
    return state(share: (time - setOff) / (after.time - setOff))
  }

  public func follow(to time: UTCInstant) {
    while let reached = after, reached.time <= time {
      moveAnchor(to: reached)
      before = reached
      if let altitude = reached.altitude { lastAltitude = altitude }
      after = pull()
      stretch = nil
    }
  }

  /// When the movement from `before` to `after` begins; nil: unknown.
  ///
  /// Recorders stop at rest, and resume some distance after the departure. A long gap with hardly
  /// any distance was a stay with the trip at its end, unless it was longer than a stay can be; a
  /// gap that hides a real trip leaves its time and its path unknown.
  private func departure(for after: TruthSample) -> UTCInstant? {
    let gap = after.time - before.time
    if gap <= maxGap { return before.time }
    let distance = Sphere.distance(before.position, after.position)
    let farthest = min(max(Self.stayRadius, Self.restingSpeed * gap), Self.farthestWaking)
    // A phone may begin with its last stored position.
    guard gap <= Self.longestStay || before.time == start, distance <= farthest else { return nil }
    return after.time - min(gap, distance / Self.leavingSpeed)
  }

  private var resting: TrueState {
    TrueState(
      position: before.position, altitude: lastAltitude, speed: 0, track: lastTrack,
      reception: assumedReception.reception(accuracy: before.accuracy, speed: 0))
  }

  private func state(share: Double) -> TrueState {
    let stretch =
      self.stretch
      ?? Stretch(
        from: before, to: after, since: anchor, lastTrack: lastTrack, lastAltitude: lastAltitude,
        assumedReception: assumedReception)
    self.stretch = stretch
    lastTrack = stretch.track
    let latitude = before.position.latitude.value + stretch.degreesNorth * share
    let longitude = before.position.longitude.value + stretch.degreesEast * share
    return TrueState(
      position: Coordinate(
        latitude: Degrees(latitude), longitude: Sphere.normalizedLongitude(Degrees(longitude))),
      altitude: stretch.altitude + stretch.climb * share, speed: stretch.speed,
      track: stretch.track, reception: stretch.reception)
  }

  private func moveAnchor(to reached: TruthSample) {
    if reached.time - before.time >= Self.anchorAge {
      anchor = reached
      nextAnchor = reached
    } else if reached.time - nextAnchor.time >= Self.anchorAge {
      anchor = nextAnchor
      nextAnchor = reached
    }
  }

  private func count(holeBefore sample: TruthSample) {
    let gap = sample.time - before.time
    guard gap > maxGap else { return }
    if departure(for: sample) == nil {
      holes.unknown += 1
      holes.timeUnknown += gap
    } else {
      holes.stays += 1
      holes.timeInStays += gap
    }
  }

  private func pull() -> TruthSample? {
    while let sample = next() {
      if sample.time > (after ?? before).time, sample.isOnEarth {
        count(holeBefore: sample)
        return sample.withoutNonsense
      }
      samplesRefused += 1
    }
    return nil
  }
}

/// Values that are constant between two samples.
private struct Stretch {
  private(set) var degreesNorth = 0.0
  private(set) var degreesEast = 0.0
  let altitude: Metres
  private(set) var climb: Metres = 0
  private(set) var speed: MetresPerSecond
  private(set) var track: Degrees
  private(set) var reception: Reception
  /// The apparent speed of a recorder at rest is lower. Many recorders write a speed of 0 if it is
  /// unknown.
  private static let tremble: MetresPerSecond = 1

  /// - Parameter anchor: not after `a`; speed and course are computed from there to `b`.
  init(
    from a: TruthSample, to b: TruthSample?, since anchor: TruthSample, lastTrack: Degrees,
    lastAltitude: Metres, assumedReception: AssumedReception
  ) {
    altitude = a.altitude ?? lastAltitude
    track = lastTrack
    speed = a.speed ?? 0
    reception = assumedReception.reception(accuracy: a.accuracy, speed: speed)
    guard let b else { return }
    degreesNorth = b.position.latitude.value - a.position.latitude.value
    degreesEast = Sphere.longitudeDifference(from: a.position, to: b.position).value
    climb = (b.altitude ?? altitude) - altitude
    let distance = Sphere.distance(anchor.position, b.position)
    let seen = distance / (b.time - anchor.time)
    if a.speed == nil || (speed == 0 && seen > Self.tremble && Self.goesOn(from: a, to: b)) {
      speed = seen
    }
    reception = assumedReception.reception(accuracy: a.accuracy, speed: speed)
    // Shorter distances are the recorder's noise and have no direction.
    if distance > 2 { track = Sphere.bearing(from: anchor.position, to: b.position) }
  }

  /// After a recent stop the anchor still gives a speed, the last two positions do not.
  private static func goesOn(from a: TruthSample, to b: TruthSample) -> Bool {
    Sphere.distance(a.position, b.position) > tremble * (b.time - a.time)
  }
}

/// One stream of samples for two readers. Samples that only one of them has read are buffered here.
private final class SharedSamples {
  private let source: () -> TruthSample?
  private var waiting: [[TruthSample]] = [[], []]
  private var taken = [0, 0]

  private init(_ source: @escaping () -> TruthSample?) { self.source = source }

  static func readers(
    of source: @escaping () -> TruthSample?
  ) -> (() -> TruthSample?, () -> TruthSample?) {
    let shared = SharedSamples(source)
    return ({ shared.read(0) }, { shared.read(1) })
  }

  private func read(_ reader: Int) -> TruthSample? {
    if taken[reader] < waiting[reader].count {
      defer { dropTaken(by: reader) }
      return waiting[reader][taken[reader]]
    }
    let sample = source()
    if let sample { waiting[1 - reader].append(sample) }
    return sample
  }

  private func dropTaken(by reader: Int) {
    taken[reader] += 1
    guard taken[reader] >= 1024 || taken[reader] == waiting[reader].count else { return }
    waiting[reader].removeFirst(taken[reader])
    taken[reader] = 0
  }
}
