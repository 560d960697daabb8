import Core

/// A world without real time: it reports the time of its next event, and time jumps there.
public protocol VirtualWorld: AnyObject {
  var now: BootInstant { get }
  /// The time of the world's next own event; nil if there is none.
  var nextEvent: BootInstant? { get }
  /// Moves time forward; input up to then can be read at the ports.
  func advance(to instant: BootInstant)
  /// The end of the ground truth that the world follows; nil while unknown.
  var end: BootInstant? { get }
}
