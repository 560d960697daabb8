import Core
import Records

/// "A fix by then, this accurate, because": the demand of one demander for GNSS.
public struct GnssDemand: Hashable, Sendable {
  public enum Mode: Hashable, Sendable {
    case on
    /// Nil: off until a coarse location or a command changes it.
    case off(until: BootInstant?)
  }

  public var mode: Mode
  /// The largest acceptable error; nil: every accepted fix is sufficient.
  public let accuracy: Metres?
  /// How long insufficient fixes may come before the demand is abandoned.
  var timeout: Seconds
  /// How many seconds of searching with weak signals the fix is worth.
  var worth: Seconds
  /// For `status` and the decision log.
  var reason: String

  public init(
    _ wish: Mode, accuracy: Metres? = nil, timeout: Seconds = 120, worth: Seconds = 30,
    reason: String
  ) {
    self.mode = wish
    // An invalid accuracy counts as none.
    self.accuracy = accuracy.flatMap { $0 > 0 && $0.value.isFinite ? $0 : nil }
    self.timeout = timeout
    self.worth = worth
    self.reason = reason
  }

  /// The combined demand: on as soon as one of them is. The reason is that of the earlier demand,
  /// or `self`'s if equal. Accuracy is not merged: each demand is satisfied individually.
  func merged(with other: GnssDemand) -> GnssDemand {
    switch (mode, other.mode) {
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

  /// The demand at present: one whose time has come is on.
  func due(at now: BootInstant) -> GnssDemand {
    guard case .off(let until?) = mode, now >= until else { return self }
    var due = self
    due.mode = .on
    return due
  }

  func isSatisfied(by location: Location) -> Bool {
    accuracy.map { location.accuracy <= $0 } ?? true
  }

  /// The demand as it can be met when nothing is possible before the end of a pause.
  func after(_ pause: Pause?) -> GnssDemand {
    guard let pause else { return self }
    switch mode {
    case .off(nil): return self
    case .off(let own?) where own > pause.until: return self
    case .on, .off:
      var delayed = self
      delayed.mode = .off(until: pause.until)
      delayed.reason = pause.reason
      return delayed
    }
  }
}

/// Until when switching on makes no sense, and why.
struct Pause: Hashable, Sendable {
  let until: BootInstant
  let reason: String
}

/// A demander besides the policy and the user: a place, a request over a channel. Each has one
/// demand at a time.
public struct DemanderName: Hashable, Comparable, ExpressibleByStringLiteral, Sendable {
  /// For `status` and the decision log.
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(stringLiteral text: String) { self.init(text) }

  public static func < (a: DemanderName, b: DemanderName) -> Bool { a.text < b.text }
}

/// What is known about the board's location and motion, for deciding when to get a fix.
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

  /// The last GNSS location.
  var lastGnss: Location? { pipeline?.lastGnss }
  /// The visit in progress, with its destination if known.
  var openVisit: Visit? { pipeline?.openVisit }
  var destinations: [Destination] { pipeline?.destinations ?? [] }

  /// The factor for a pause at rest that includes this moment, so that fix attempts fall into the
  /// hours at which the place is usually left: 1 without a date or without habits.
  func usualStretch(at instant: BootInstant) -> Double {
    guard let pipeline, let time = clock?.utc(at: instant) else { return 1 }
    return pipeline.usualStretch(at: time)
  }
}
