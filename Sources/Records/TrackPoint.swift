import Quantities

/// One point of the stored trajectory.
public struct TrackPoint: Hashable, Sendable {
  public enum Reason: String, Sendable, CaseIterable {
    /// The schedule asked for this location (Algorithm 1 saves it).
    case scheduled
    /// Kept by the error-bounded simplification of a dense source.
    case shape
    /// A coarse location, kept until something better with a similar time replaces it.
    case coarse
  }

  public var location: Location
  public var reason: Reason
  /// The GNSS session it came from.
  public var session: Int64?

  public init(location: Location, reason: Reason, session: Int64? = nil) {
    self.location = location
    self.reason = reason
    self.session = session
  }
}
