import Places
import Core

/// The result for one item of a file.
public struct PlaceFileEntry: Hashable, Sendable {
  public enum Outcome: Hashable, Sendable {
    case place(Place)
    /// It is not a valid place; the items after it are read all the same.
    case refused(PlaceFileError)
    /// It is not a place and need not be: the notices say why.
    case leftOut
  }

  public let item: PlaceFileItem
  public let outcome: Outcome
  /// Whether the id of the place is not in the file, but derived from its content: it is the same
  /// whenever the file is read.
  public let isNamedByContent: Bool
  /// What was interpreted differently, or dropped. The texts do not name the item, so that equal
  /// ones can be counted.
  public let notices: [String]

  init(
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

/// Values for a place that are not in the file.
public struct PlaceFileDefaults: Hashable, Sendable {
  public var owner: String
  /// For a point without an area.
  public var radius: Metres

  public init(owner: String, radius: Metres) {
    self.owner = owner
    self.radius = radius
  }

  /// For a row of a store that was drawn without them.
  public static let ofStore = PlaceFileDefaults(owner: Visitor.keeper, radius: 50)
}
