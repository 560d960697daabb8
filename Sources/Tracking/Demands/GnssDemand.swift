import Quantities
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
  public var accuracy: Metres?
  /// For how many seconds of searching it is worth having under a weak sky.
  public var worth: Seconds
  /// For `status` and the decision log.
  public var reason: String

  public init(_ wish: Wish, accuracy: Metres? = nil, worth: Seconds = 30, reason: String) {
    self.wish = wish
    self.accuracy = accuracy
    self.worth = worth
    self.reason = reason
  }

  /// What satisfies both: on as soon as one of them wants it, as accurate as the stricter of those
  /// that want it then. The reason is that of the earlier wish, of equal ones `self`'s.
  public func merged(with other: GnssDemand) -> GnssDemand {
    switch (wish, other.wish) {
    case (.on, .on):
      var both = self
      both.accuracy = [accuracy, other.accuracy].compactMap { $0 }.min()
      both.worth = max(worth, other.worth)
      return both
    case (.on, .off): return self
    case (.off, .on): return other
    case (.off, .off(until: nil)): return self
    case (.off(until: nil), .off): return other
    case (.off(let own?), .off(let others?)): return others < own ? other : self
    }
  }

  /// The demand as it can be met when nothing can be had before the end of a pause.
  func after(_ pause: Pause?) -> GnssDemand {
    guard let pause else { return self }
    switch wish {
    case .off(nil): return self
    case .off(let own?) where own > pause.until: return self
    case .on, .off: return GnssDemand(.off(until: pause.until), reason: pause.reason)
    }
  }
}

/// Until when it makes no sense to switch on, and why.
struct Pause: Hashable, Sendable {
  let until: BootInstant
  let reason: String
}

/// Something that wants fixes: the policy, a command, a place, a request.
public protocol FixDemander: Sendable {
  /// What it wants now; nil: nothing, and it does not matter to it what the others want.
  func demand(at now: BootInstant, in context: TrackingContext) -> GnssDemand?
}

/// What is known of the board's whereabouts, for those that decide when to look.
public struct TrackingContext: Sendable {
  private let pipeline: LocationPipeline?
  /// Whether the board rests or moves.
  public let belief: RestBelief

  /// Nothing is known yet.
  public static let unknown = TrackingContext(nil, RestBelief(sources: [], dwell: 300))

  init(_ pipeline: LocationPipeline?, _ belief: RestBelief) {
    self.pipeline = pipeline
    self.belief = belief
  }

  /// The last location that GNSS gave.
  public var lastGnss: Location? { pipeline?.lastGnss }
  /// The visit that is going on, with its destination where that is a known one.
  public var openVisit: Visit? { pipeline?.openVisit }
  public var destinations: [Destination] { pipeline?.destinations ?? [] }
}
