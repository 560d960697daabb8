import Core
import Records

/// What every port says that talks by itself. It is asked anew after every turn of the loop, so a
/// device may come, go, and be opened again.
public protocol EventPort: AnyObject {
  /// For messages: "/dev/gnss-receiver at 9600 baud", "gpsd at localhost:2947".
  var name: String { get }
  /// What it waits for; nil while closed, or when the world is virtual.
  var interest: Interest? { get }
  /// When it has work whatever the descriptor says; nil: not by itself.
  var due: BootInstant? { get }
  /// Whether something is expected that has been asked for, and is likely to come soon.
  var awaitsAnswer: Bool { get }
}

extension EventPort {
  public var due: BootInstant? { nil }
  public var awaitsAnswer: Bool { false }
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

/// Something else than GNSS that tells whether the board moves, what is around it, or where it is.
/// Most tell by themselves when something happens; others have to be asked, and their answer is
/// collected with `poll`. One that is absent, restarts or refuses says so once with an error and
/// comes back by itself.
///
/// Its name is unique: the tracker asks each source by it. When it is ready, or due, `poll` has
/// work.
public protocol EvidencePort: EventPort {
  /// How it places the board, by itself or by what is known of what it hears; nil: it does not.
  var delivery: CoarseDelivery? { get }
  /// How many things it has taken from its descriptor, whether there was anything to tell about
  /// them or not. One that stays ready and takes nothing is looked at less and less often.
  var taken: Int { get }
  /// Asks for a look at the surroundings; does nothing where the source tells by itself.
  func ask() throws(PortError)
  /// What has not been collected yet, the oldest first; nil: nothing more for now.
  func poll() throws(PortError) -> Evidence?
}

extension EvidencePort {
  public var delivery: CoarseDelivery? { nil }

  public var taken: Int { 0 }

  public func ask() throws(PortError) {}
}
