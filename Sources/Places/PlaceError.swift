/// A fault of a place, and how to correct it.
public struct PlaceError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Fault: Hashable, Sendable {
    case missing
    case tooLong
    case tooMany
    case outOfRange
    case malformed
    case repeated
    /// Parts that are valid individually but inconsistent.
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
  /// The part of the place: "tags[3]", "perimeter.polygons[0].holes[1]"; indices count from 0.
  public let path: String
  /// The fault, and the correct form.
  public let reason: String

  public init(_ fault: Fault, at path: String, _ reason: String) {
    self.fault = fault
    self.path = path
    self.reason = reason
  }

  public var description: String { "\(path): \(reason)" }

  /// The error with its path inside a larger part.
  func within(_ outer: String) -> PlaceError {
    PlaceError(fault, at: path.first == "[" ? outer + path : "\(outer).\(path)", reason)
  }
}
