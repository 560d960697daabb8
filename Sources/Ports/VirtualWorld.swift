import Core

/// A world without real time: it says when something will happen next, and time jumps there.
public protocol VirtualWorld: AnyObject {
  var now: BootInstant { get }
  /// The next moment at which the world does something by itself; nil when nothing will.
  var nextEvent: BootInstant? { get }
  /// Moves time forward; what has arrived by then can be read at the ports.
  func advance(to instant: BootInstant)
  /// When the truth that the world follows ends; nil while it is not known.
  var end: BootInstant? { get }
}
