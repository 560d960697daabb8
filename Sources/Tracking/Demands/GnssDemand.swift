import Core
import Records

/// "A fix by then, this accurate, because": what one of those that want fixes asks of GNSS.
public struct GnssDemand: Hashable, Sendable {
  public enum Wish: Hashable, Sendable {
    case on
    /// Off; nil means until a coarse location or a command changes it.
    case off(until: BootInstant?)
  }

  public var wish: Wish
  /// A location with a larger error does not do; nil: every fix that is believed does.
  public let accuracy: Metres?
  /// How long fixes may come that do not do, until it has to go without one.
  public var timeout: Seconds
  /// For how many seconds of searching it is worth having under a weak sky.
  public var worth: Seconds
  /// For `status` and the decision log.
  public var reason: String

  public init(
    _ wish: Wish, accuracy: Metres? = nil, timeout: Seconds = 120, worth: Seconds = 30,
    reason: String
  ) {
    self.wish = wish
    // What cannot be an accuracy asks for none.
    self.accuracy = accuracy.flatMap { $0 > 0 && $0.value.isFinite ? $0 : nil }
    self.timeout = timeout
    self.worth = worth
    self.reason = reason
  }

  /// When both have to be met: on as soon as one of them wants it. The reason is that of the
  /// earlier wish, of equal ones `self`'s. How accurate a fix has to be is not merged: each is
  /// satisfied by itself.
  public func merged(with other: GnssDemand) -> GnssDemand {
    switch (wish, other.wish) {
    case (.on, .on):
      var both = self
      both.worth = max(worth, other.worth)
      return both
    case (.on, .off): return self
    case (.off, .on): return other
    case (.off, .off(until: nil)): return self
    case (.off(until: nil), .off): return other
    case (.off(let own?), .off(let others?)): return others < own ? other : self
    }
  }

  /// The demand as it is by now: the fix that was wanted by then is wanted at once.
  func due(at now: BootInstant) -> GnssDemand {
    guard case .off(let until?) = wish, now >= until else { return self }
    var due = self
    due.wish = .on
    return due
  }

  func isSatisfied(by location: Location) -> Bool {
    accuracy.map { location.accuracy <= $0 } ?? true
  }

  /// The demand as it can be met when nothing can be had before the end of a pause.
  func after(_ pause: Pause?) -> GnssDemand {
    guard let pause else { return self }
    switch wish {
    case .off(nil): return self
    case .off(let own?) where own > pause.until: return self
    case .on, .off:
      var delayed = self
      delayed.wish = .off(until: pause.until)
      delayed.reason = pause.reason
      return delayed
    }
  }
}

/// Until when it makes no sense to switch on, and why.
struct Pause: Hashable, Sendable {
  let until: BootInstant
  let reason: String
}

/// Who wants a fix besides the policy and the user: a place, a request over a channel. One has one
/// demand at a time.
public struct DemanderName: Hashable, Comparable, ExpressibleByStringLiteral, Sendable {
  /// For `status` and the decision log.
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(stringLiteral text: String) { self.init(text) }

  public static func < (a: DemanderName, b: DemanderName) -> Bool { a.text < b.text }
}

/// What is known of the board's whereabouts, for those that decide when to look.
public struct TrackingContext: Sendable {
  private let pipeline: LocationPipeline?
  /// Whether the board rests or moves.
  public let motion: MotionEstimator
  private let clock: UTCClock?

  /// Nothing is known yet.
  public static let unknown = TrackingContext(nil, MotionEstimator(sources: [], dwell: 300))

  init(_ pipeline: LocationPipeline?, _ motion: MotionEstimator, _ clock: UTCClock? = nil) {
    self.pipeline = pipeline
    self.motion = motion
    self.clock = clock
  }

  /// The last location that GNSS gave.
  public var lastGnss: Location? { pipeline?.lastGnss }
  /// The visit that is going on, with its destination where that is a known one.
  public var openVisit: Visit? { pipeline?.openVisit }
  public var destinations: [Destination] { pipeline?.destinations ?? [] }

  /// By what to multiply a pause at rest that includes this moment, so that the looks come at the
  /// hours at which the place is usually left: 1 without a date, and without habits.
  func usualStretch(at instant: BootInstant) -> Double {
    guard let pipeline, let time = clock?.utc(at: instant) else { return 1 }
    return pipeline.usualStretch(at: time)
  }
}
