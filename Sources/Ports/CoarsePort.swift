import Quantities
import Records

/// A cheap source of location. `scan` starts one look; the answer is collected with `poll`.
public protocol CoarsePort: AnyObject {
  var name: String { get }
  /// Readable when an answer may be there; nil when the world is virtual.
  var descriptor: Int32? { get }
  func scan() throws(CoarseError)
  func poll() throws(CoarseError) -> CoarseObservation?
}

public struct CoarseError: Error, Equatable, Sendable {
  /// What happened, where, and what to do next.
  public let message: String
  public init(_ message: String) { self.message = message }
}
