import Places
import Core

/// What a file has of one place.
public struct PlaceFileEntry: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case place(Place)
    /// It is no place as it stands; what comes after it is read all the same.
    case refused(PlaceFileError)
    /// It is none and need not be: the notices say why.
    case leftOut
  }

  public let item: PlaceFileItem
  public let outcome: Outcome
  /// Whether the id of the place is none that the file has: it follows from what the file says of
  /// it, and is the same whenever the file is read.
  public let isNamedByContent: Bool
  /// What was understood otherwise than it is written, or not kept. They do not name the item, so
  /// that equal ones can be counted.
  public let notices: [String]

  public init(
    _ item: PlaceFileItem, _ outcome: Outcome, isNamedByContent: Bool = false,
    notices: [String] = []
  ) {
    self.item = item
    self.outcome = outcome
    self.isNamedByContent = isNamedByContent
    self.notices = notices
  }

  public var place: Place? {
    guard case .place(let place) = outcome else { return nil }
    return place
  }

  public var error: PlaceFileError? {
    guard case .refused(let error) = outcome else { return nil }
    return error
  }
}

/// What a place gets where a file does not say.
public struct PlaceFileDefaults: Hashable, Sendable {
  public var owner: String
  /// Of what is a mere point.
  public var radius: Metres

  public init(owner: String, radius: Metres) {
    self.owner = owner
    self.radius = radius
  }

  /// What a row of a store gets that somebody has drawn without it.
  public static let ofStore = PlaceFileDefaults(owner: Visitor.keeper, radius: 50)
}
