import Core
import Records

/// A port with events of its own. Its interest is queried after every iteration of the loop, so
/// that a device may appear, disappear, and be reopened.
public protocol EventPort: AnyObject {
  /// For messages: "/dev/gnss-receiver at 9600 baud", "gpsd at localhost:2947".
  var name: String { get }
  /// The descriptor to wait for; nil while closed, or in a virtual world.
  var interest: Interest? { get }
  /// When it has work independent of the descriptor; nil: no timer.
  var due: BootInstant? { get }
  /// Whether a reply is pending that is likely to arrive soon.
  var awaitsReply: Bool { get }
}

extension EventPort {
  public var due: BootInstant? { nil }
  public var awaitsReply: Bool { false }
}

/// The descriptor and events that a port waits for in the loop.
public struct Interest: Hashable, Sendable {
  public var descriptor: Int32
  /// Identifies the opening: the kernel reuses the number of a closed descriptor.
  public var opening: Int
  /// Whether readability is awaited. A port that awaits neither is ignored for now, but stays
  /// registered.
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

/// A source other than GNSS of whether the board moves, of its surroundings, or of its position.
/// Most sources report events by themselves; others have to be queried, and their reply is
/// collected with `poll`. A source that is absent, restarts or refuses throws one error and
/// recovers by itself.
///
/// Its name is unique: the tracker identifies the source by it. When it is ready, or due, `poll`
/// has work.
public protocol EvidencePort: EventPort {
  /// How it locates the board, by itself or from known surroundings; nil: it does not.
  var delivery: CoarseDelivery? { get }
  /// The number of items read from its descriptor, relevant or not. A source that stays ready but
  /// reads nothing is polled at growing intervals.
  var readCount: Int { get }
  /// What it has drawn since it was made, in addition to the board; 0 where that is unknown.
  var energy: Joules { get }
  /// Requests a scan of the surroundings; no effect if the source reports by itself.
  func request() throws(PortError)
  /// The oldest uncollected evidence; nil: none at present.
  func poll() throws(PortError) -> Evidence?
}

extension EvidencePort {
  public var delivery: CoarseDelivery? { nil }

  public var readCount: Int { 0 }

  public var energy: Joules { 0 }

  public func request() throws(PortError) {}
}
