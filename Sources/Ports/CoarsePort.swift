import Quantities
import Records

/// A cheap source of location. `scan` starts one look; the answer is collected with `poll`.
///
/// Its name is unique: the tracker asks each source by it. When it is ready, or due, `poll` has
/// work.
public protocol CoarsePort: EventPort {
  func scan() throws(CoarseError)
  func poll() throws(CoarseError) -> CoarseObservation?
}

public struct CoarseError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
