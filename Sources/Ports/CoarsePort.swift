import Quantities
import Records

/// A cheap source of location. `scan` starts one look; the answer is collected with `poll`.
public protocol CoarsePort: AnyObject {
  /// Unique: the tracker asks each source by it.
  var name: String { get }
  /// What it waits for at present; nil when the world is virtual, or nothing is there to wait for.
  /// It is asked anew after every turn, so a source may come, go, and be opened again.
  var interest: Interest? { get }
  /// When `poll` has something to do whatever the descriptor says; nil: not by itself.
  var due: BootInstant? { get }
  func scan() throws(CoarseError)
  func poll() throws(CoarseError) -> CoarseObservation?
}

extension CoarsePort {
  public var due: BootInstant? { nil }
}

public struct CoarseError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
