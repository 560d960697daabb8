import Notation
import Quantities

public struct AcquisitionSettings: Hashable, Sendable {
  /// No search is given up sooner than this, however fast the receiver usually is.
  public var shortestLimit: Seconds
  /// No search lasts longer than this.
  public var longestLimit: Seconds
  /// A search without sky is given up after this time...
  public var hopelessAfter: Seconds
  /// ...if the receiver then sees fewer satellites than this.
  public var hopelessBelow: Int
  /// The pause after the first failed search; doubles with every further one.
  public var firstBackOff: Seconds
  public var longestBackOff: Seconds
  /// A lock that took longer than this was a cold or warm one: ephemeris had to be received.
  public var coldLock: Seconds
  /// How long to stay on after such a lock, so that the next start is a hot one. One satellite's
  /// ephemeris takes 18-30 s to receive (IS-GPS-200, subframes 1-3 of a 30 s frame).
  public var holdAfterColdLock: Seconds

  public init(
    shortestLimit: Seconds = 45, longestLimit: Seconds = 180, hopelessAfter: Seconds = 60,
    hopelessBelow: Int = 3, firstBackOff: Seconds = 120, longestBackOff: Seconds = 1800,
    coldLock: Seconds = 15, holdAfterColdLock: Seconds = 30
  ) {
    self.shortestLimit = shortestLimit
    self.longestLimit = longestLimit
    self.hopelessAfter = hopelessAfter
    self.hopelessBelow = hopelessBelow
    self.firstBackOff = firstBackOff
    self.longestBackOff = longestBackOff
    self.coldLock = coldLock
    self.holdAfterColdLock = holdAfterColdLock
  }
}

/// One receiver's searches: how long the present one may last, how long to hold a lock, and when
/// the next one is worth it.
public struct Acquisition: Hashable, Sendable {
  public enum Phase: Hashable, Sendable {
    case off
    case searching(since: BootInstant)
    case locked(since: BootInstant, holdUntil: BootInstant)
  }

  let settings: AcquisitionSettings
  public private(set) var phase = Phase.off
  public private(set) var prediction: LockPrediction
  /// Failed searches since the last success.
  public private(set) var failures = 0
  /// No search before this moment.
  public private(set) var backedOffUntil: BootInstant?
  private var lastTracked: BootInstant?

  public init(_ settings: AcquisitionSettings, prediction: LockPrediction) {
    self.settings = settings
    self.prediction = prediction
  }

  public mutating func switchedOn(at now: BootInstant) { phase = .searching(since: now) }

  public mutating func switchedOff(at now: BootInstant) {
    if case .locked = phase { lastTracked = now }
    phase = .off
  }

  /// The first accepted fix of this session. Returns the time to it; nil if already locked.
  public mutating func locked(at now: BootInstant) -> Seconds? {
    guard case .searching(let since) = phase else { return nil }
    let timeToFirstFix = now - since
    prediction.learn(timeToFirstFix, afterPause: lastTracked.map { since - $0 })
    let hold = timeToFirstFix > settings.coldLock ? settings.holdAfterColdLock : 0
    phase = .locked(since: now, holdUntil: now + hold)
    failures = 0
    backedOffUntil = nil
    return timeToFirstFix
  }

  /// The present search has come to nothing. Returns the pause before the next.
  public mutating func gaveUp(at now: BootInstant) -> Seconds {
    failures += 1
    let doublings = Double(1 << min(failures - 1, 20))
    let pause = min(settings.firstBackOff * doublings, settings.longestBackOff)
    backedOffUntil = now + pause
    return pause
  }

  /// A sign that the sky may have changed (moved to another cell, a command): try again at once.
  public mutating func forgetBackOff() {
    failures = 0
    backedOffUntil = nil
  }

  /// When the present search must end; nil when there is none.
  public var deadline: BootInstant? {
    guard case .searching(let since) = phase else { return nil }
    return since + limit(at: since)
  }

  /// When the receiver should be looked at for having any sky at all.
  public var hopelessCheck: BootInstant? {
    guard case .searching(let since) = phase, settings.hopelessAfter < limit(at: since) else {
      return nil
    }
    return since + settings.hopelessAfter
  }

  /// Whether the search that is under way will come to nothing.
  /// - Parameter satellitesInView: what the receiver last said; nil if it said nothing.
  public func isHopeless(at now: BootInstant, satellitesInView: Int?) -> Bool {
    if let deadline, now >= deadline { return true }
    guard let hopelessCheck, now >= hopelessCheck else { return false }
    return (satellitesInView ?? 0) < settings.hopelessBelow
  }

  /// Until when the lock should be kept although nobody wants it; nil when it may go.
  public func holdUntil(at now: BootInstant) -> BootInstant? {
    guard case .locked(_, let until) = phase, now < until else { return nil }
    return until
  }

  /// Three times the predicted lock time, within the settings' bounds.
  private func limit(at since: BootInstant) -> Seconds {
    let predicted = prediction.predicted(afterPause: lastTracked.map { since - $0 })
    return min(max(predicted * 3, settings.shortestLimit), settings.longestLimit)
  }
}

extension Acquisition {
  var snapshot: JSONValue {
    .object([("failures", .number(Double(failures))), ("prediction", prediction.snapshot)])
  }

  /// Goes on with the back-off and the learnt lock times of an earlier run. The board was not
  /// watched in between, so the first search comes at once.
  mutating func restore(_ snapshot: JSONValue?) {
    prediction.restore(snapshot?["prediction"])
    if let count = snapshot?["failures"]?.integer, (0...1000).contains(count) { failures = count }
  }
}
