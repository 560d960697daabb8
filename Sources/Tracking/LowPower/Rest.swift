import Energy
import Quantities
import Records

/// What was last asked of a receiver that nobody listens to.
enum Rest: Hashable, Sendable {
  case off
  case sleeping
  /// It could not be put to sleep, and nothing else can be done: it goes on with what it did.
  case powered(GnssState)

  /// What to ask of the switch for it. `off` means to let go of the line, too, so it is right also
  /// where nothing can be cut.
  var powerState: PowerState { self == .sleeping ? .sleep : .off }
}

/// How the receiver spends the time while it is not wanted, and why so.
public struct Idle: Hashable, Sendable {
  public var choice: IdleDecision.Choice
  /// One sentence for people, with its figures and units.
  public var reason: String
  /// From the decision until it is wanted again; a guess where no date is known.
  public var pause: Seconds
  /// Nil: until something happens.
  public var until: BootInstant?
  /// From which pause on a harder way would pay; nil: none ever.
  public var paysUntil: Seconds?
}
