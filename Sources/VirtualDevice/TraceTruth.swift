import Geodesy
import Quantities

/// One moment of a recorded truth.
public struct TruthSample: Hashable, Sendable {
  public var time: UTCInstant
  public var place: Coordinate
  public var altitude: Metres?
  public var speed: MetresPerSecond?
  /// The recorder's own horizontal error: tells what sky it had.
  public var accuracy: Metres?

  public init(
    time: UTCInstant, place: Coordinate, altitude: Metres? = nil, speed: MetresPerSecond? = nil,
    accuracy: Metres? = nil
  ) {
    self.time = time
    self.place = place
    self.altitude = altitude
    self.speed = speed
    self.accuracy = accuracy
  }
}

extension TruthSample {
  fileprivate var isOnEarth: Bool {
    place.latitude.magnitude <= 90 && place.longitude.magnitude <= 180
  }

  /// A trace is a file from anywhere: an altitude or a speed that nobody can have is left out.
  fileprivate var withoutNonsense: TruthSample {
    var sample = self
    if let altitude, !(altitude.magnitude < 100_000) { sample.altitude = nil }
    if let speed, !(speed >= 0 && speed < 10_000) { sample.speed = nil }
    return sample
  }
}

/// A ground truth that repeats a recorded trace. Samples are pulled one by one, so that a year at
/// 1 Hz streams through; between them the way is straight and its speed even.
public final class TraceTruth: GroundTruth {
  private let next: () -> TruthSample?
  private let longestGap: Seconds
  private var before: TruthSample
  private var after: TruthSample?
  /// From `before` to `after`; nil until somebody asks. Nobody does while the receiver is off, and
  /// most of a year passes like that.
  private var stretch: Stretch?
  /// Samples some seconds before `before`: speed and course over that time are far less noisy than
  /// from one second to the next.
  private var anchor: TruthSample
  private var nextAnchor: TruthSample
  private static let anchorAge: Seconds = 10
  /// The scale at which destinations are told apart.
  private static let stayRadius: Metres = 150
  /// Slower than anybody travels.
  private static let restingSpeed: MetresPerSecond = 0.3
  /// How the last stretch before a recorder wakes is covered: between a walk and a ride.
  private static let leavingSpeed: MetresPerSecond = 5
  private var lastTrack: Degrees = 0
  private var lastAltitude: Metres = 0
  public let start: UTCInstant
  /// Samples that were left out because their time did not rise or their place is none on Earth.
  public private(set) var samplesRefused = 0

  /// - Parameters:
  ///   - longestGap: in a longer gap between samples the truth is unknown, unless it was a stay.
  ///   - next: gives the samples in the order of their times, and nil at the end.
  /// - Returns: nil when there is no usable sample at all.
  public init?(longestGap: Seconds = 180, samples next: @escaping () -> TruthSample?) {
    var refused = 0
    var found = next()
    while let sample = found, !sample.isOnEarth {
      refused += 1
      found = next()
    }
    guard let first = found?.withoutNonsense else { return nil }
    samplesRefused = refused
    self.next = next
    self.longestGap = longestGap
    before = first
    anchor = first
    nextAnchor = first
    start = first.time
    lastAltitude = first.altitude ?? 0
    after = pull()
  }

  public convenience init?(_ samples: some Sequence<TruthSample>, longestGap: Seconds = 180) {
    var iterator = samples.makeIterator()
    self.init(longestGap: longestGap) { iterator.next() }
  }

  public var end: UTCInstant? { hasEnded ? before.time : nil }
  public var hasEnded: Bool { after == nil }

  public func accessPoint(at time: UTCInstant) -> AccessPoint? { nil }

  public func state(at time: UTCInstant) -> TrueState? {
    while let reached = after, reached.time <= time {
      moveAnchor(to: reached)
      before = reached
      if let altitude = reached.altitude { lastAltitude = altitude }
      after = pull()
      stretch = nil
    }
    guard let after else { return time == before.time ? state(share: 0) : nil }
    guard time >= start, let setOff = departure(for: after) else {
      return time == before.time ? state(share: 0) : nil
    }
    if time < setOff { return resting }
    return state(share: (time - setOff) / (after.time - setOff))
  }

  /// When the way from `before` to `after` begins; nil where nobody knows.
  ///
  /// Recorders fall silent where nothing moves, and speak again some way after it does. A long
  /// silence in which hardly anything was travelled was a stay with the journey at its end; one
  /// that hides a real journey leaves its hour and its way unknown.
  private func departure(for after: TruthSample) -> UTCInstant? {
    let gap = after.time - before.time
    if gap <= longestGap { return before.time }
    let distance = Sphere.distance(before.place, after.place)
    guard distance <= max(Self.stayRadius, Self.restingSpeed * gap) else { return nil }
    return after.time - min(gap, distance / Self.leavingSpeed)
  }

  private var resting: TrueState {
    TrueState(
      place: before.place, altitude: lastAltitude, speed: 0, track: lastTrack,
      sky: Stretch.sky(accuracy: before.accuracy))
  }

  private func state(share: Double) -> TrueState {
    let stretch =
      self.stretch
      ?? Stretch(
        from: before, to: after, since: anchor, lastTrack: lastTrack, lastAltitude: lastAltitude)
    self.stretch = stretch
    lastTrack = stretch.track
    let latitude = before.place.latitude.value + stretch.degreesNorth * share
    var longitude = before.place.longitude.value + stretch.degreesEast * share
    if longitude > 180 { longitude -= 360 }
    if longitude < -180 { longitude += 360 }
    return TrueState(
      place: Coordinate(latitude: Degrees(latitude), longitude: Degrees(longitude)),
      altitude: stretch.altitude + stretch.climb * share, speed: stretch.speed,
      track: stretch.track, sky: stretch.sky)
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

  private func pull() -> TruthSample? {
    while let sample = next() {
      if sample.time > (after ?? before).time, sample.isOnEarth { return sample.withoutNonsense }
      samplesRefused += 1
    }
    return nil
  }
}

/// What is the same all along the way from one sample to the next.
private struct Stretch {
  private(set) var degreesNorth = 0.0
  private(set) var degreesEast = 0.0
  let altitude: Metres
  private(set) var climb: Metres = 0
  private(set) var speed: MetresPerSecond
  private(set) var track: Degrees
  let sky: Sky

  /// - Parameter anchor: not after `a`; the way from there to `b` gives speed and course.
  init(
    from a: TruthSample, to b: TruthSample?, since anchor: TruthSample, lastTrack: Degrees,
    lastAltitude: Metres
  ) {
    altitude = a.altitude ?? lastAltitude
    track = lastTrack
    sky = Self.sky(accuracy: a.accuracy)
    speed = a.speed ?? 0
    guard let b else { return }
    degreesNorth = b.place.latitude.value - a.place.latitude.value
    degreesEast = b.place.longitude.value - a.place.longitude.value
    if degreesEast > 180 { degreesEast -= 360 }
    if degreesEast < -180 { degreesEast += 360 }
    climb = (b.altitude ?? altitude) - altitude
    let distance = Sphere.distance(anchor.place, b.place)
    if a.speed == nil { speed = distance / (b.time - anchor.time) }
    // Shorter ways are the recorder's noise and have no direction.
    if distance > 2 { track = Sphere.bearing(from: anchor.place, to: b.place) }
  }

  /// What a recorder claimed tells of its setting as much as of its sky: a phone that was asked for
  /// medium accuracy says 65 m (Wi-Fi) in the open too. Only what no satellite fix comes near had
  /// walls around it. Without a claim: open sky.
  static func sky(accuracy: Metres?) -> Sky {
    guard let accuracy else { return .open }
    return accuracy <= 25 ? .open : accuracy <= 100 ? .street : .indoors
  }
}
