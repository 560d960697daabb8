/// What is wrong with a place, where, and what to do about it.
public struct PlaceError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Fault: Hashable, Sendable {
    case missing
    case tooLong
    case tooMany
    case outOfRange
    case malformed
    case repeated
    /// Parts that are right by themselves and do not fit together.
    case contradictory
    /// A ring that does not end where it begins.
    case openRing
    /// A ring of fewer than four positions.
    case shortRing
    /// A ring that crosses or touches itself, or encloses nothing.
    case notSimple
    /// Rings that cross each other.
    case crossing
    /// A hole that is not within its outer ring, or is within another hole.
    case strayHole
    /// Polygons of one perimeter, one within the other.
    case overlapping
  }

  public let fault: Fault
  /// The part of the place: "tags[3]", "perimeter.polygons[0].holes[1]"; numbers count from 0.
  public let path: String
  /// What is wrong there, and what would be right.
  public let reason: String

  public init(_ fault: Fault, at path: String, _ reason: String) {
    self.fault = fault
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }

  /// The same, with the part in a larger one.
  func within(_ outer: String) -> PlaceError {
    PlaceError(fault, at: path.first == "[" ? outer + path : "\(outer).\(path)", reason)
  }
}
