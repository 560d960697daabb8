import Quantities

/// What every port says that talks by itself. It is asked anew after every turn of the loop, so a
/// device may come, go, and be opened again.
public protocol EventPort: AnyObject {
  /// For messages: "/dev/gnss-receiver at 9600 baud", "gpsd at localhost:2947".
  var name: String { get }
  /// What it waits for; nil while closed, or when the world is virtual.
  var interest: Interest? { get }
  /// When it has work whatever the descriptor says; nil: not by itself.
  var due: BootInstant? { get }
}

extension EventPort {
  public var due: BootInstant? { nil }
}

/// What a port waits for on the loop.
public struct Interest: Hashable, Sendable {
  public var descriptor: Int32
  /// Which opening it comes from: the kernel gives the number of a closed descriptor to the next.
  public var opening: Int
  /// Whether to come back when it can be read. One that waits for neither is left alone for the
  /// moment, and keeps its place.
  public var reads: Bool
  public var writes: Bool

  public init(
    _ descriptor: Int32, opening: Int = 0, reads: Bool = true, writes: Bool = false
  ) {
    self.descriptor = descriptor
    self.opening = opening
    self.reads = reads
    self.writes = writes
  }
}
